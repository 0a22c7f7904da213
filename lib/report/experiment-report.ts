import type { CollectOptions } from "../analysis/collect-samples.ts";
import type { Measured, OwnMetric } from "../analysis/collected-series.ts";
import type { PublishedSource } from "../analysis/published.ts";
import type { ReportSubject, Traffic } from "../analysis/report-subject.ts";
import type { ReportView, ViewInputs } from "../analysis/report-view.ts";
import type { Manifest, Plan, Sample } from "../contract/types/contract.ts";
import type { PriceTable } from "../cost/prices.ts";
import type { Block, Chart, Note, ReportDocument, Text } from "./document/document.ts";
import type { Answer } from "./first-screen/first-screen.ts";
import type { Topic } from "./first-screen/topic.ts";
import { renderHtml } from "./render/html.ts";
import { briefDocument, renderMarkdown } from "./render/markdown.ts";
import { renderTerminal } from "./render/terminal.ts";

/** What one experiment adds to the report that all of them share. */
export interface ExperimentReport {
  /** What it takes of a kept sample besides the common quantities. */
  readonly metrics: readonly OwnMetric[];
  metricsOf(sample: Sample): Measured;
  readonly published?: PublishedSource;
  /** Its part, once the samples have been read. */
  part(inputs: ViewInputs): OwnPart;
}

/** One run's own part of its report. */
export interface OwnPart {
  /** Numbers of its own, unrounded: `own` in summary.json. Absent where it has none. */
  readonly figures?: object;
  /**
   * What must be known before a number of its own is read.
   * @default none
   */
  notes?(view: ReportView): readonly Note[];
  /**
   * Conclusions that no single comparison holds, a sentence each.
   * @default none
   */
  lead?(view: ReportView): readonly Text[];
  /**
   * What its sentences compare.
   * @default every variant with the baseline, to start and on a warm call
   */
  topics?(view: ReportView): readonly Topic[];
  /**
   * The chart of the first screen.
   * @default the cold starts
   */
  chart?(view: ReportView): readonly Chart[];
  /**
   * Where and on what the topics' published ratios were measured.
   * @default the conditions of `published`
   */
  readonly publishedPlace?: string;
  /** What the answer rests on, in words. */
  evidence?(view: ReportView): readonly Block[];
  /** Before the tables that every report has. */
  sections(view: ReportView): readonly Block[];
  /** What this experiment cannot tell. */
  readonly limits: readonly Text[];
}

export interface ReportInputs {
  readonly plan: Plan;
  readonly manifest: Omit<Manifest, "counts">;
  readonly subject: ReportSubject;
  /** Streamed: read once, none is held. */
  readonly samples: AsyncIterable<Sample>;
  readonly prices: PriceTable;
  /**
   * What costs are stated for.
   * @default a million invocations a month, one in a hundred cold
   */
  readonly traffic?: Traffic;
  /**
   * What every series is stated by once more.
   * @default nothing
   */
  readonly split?: CollectOptions["split"];
}

export interface RenderedReport {
  /** Text by file name: manifest.json, summary.json, report.md, report-full.md, report.html and .json, series.csv. */
  readonly files: Readonly<Record<string, string>>;
  /** The same as data, for the report of a run of several experiments. */
  readonly page: ExperimentPage;
  /** The first screen, for the terminal. */
  readonly headline: string;
  /** For a pull request. Absent of a study, whose report is of engines. */
  readonly comment?: string;
  /** As given, with the counts of what was read. */
  readonly manifest: Manifest;
}

/**
 * An experiment's report as data, report.json: what the report of a whole run is put together from,
 * so that no sample is read for it again.
 */
export interface ExperimentPage {
  readonly schemaVersion: 1;
  readonly experiment: string;
  readonly title: string;
  readonly question: string;
  readonly status: Manifest["status"];
  readonly counts: Manifest["counts"];
  /** What was found, in one sentence. */
  readonly finding: Text;
  /** What must be known of the place before a number is read. */
  readonly notes: readonly Note[];
  /** For the terminal. */
  readonly headline: string;
  readonly blocks: readonly Block[];
}

/** What a report in every form is made of, besides its document. */
interface ReportParts extends Pick<ExperimentPage, "notes">, Pick<RenderedReport, "comment"> {
  readonly answer: Answer;
  /** series.csv. */
  readonly csv: string;
}

/** A report in every form; the whole view is summary.json. */
export function renderedReport(
  view: Pick<ReportView, "subject" | "manifest"> & { readonly plan: Pick<Plan, "experiment"> },
  document: ReportDocument,
  { answer, notes, csv, comment }: ReportParts,
): RenderedReport {
  const { subject, manifest, plan } = view;
  const headline = renderTerminal(document.title, answer.block);
  const page: ExperimentPage = {
    schemaVersion: 1,
    experiment: plan.experiment,
    title: document.title,
    question: subject.question,
    status: manifest.status,
    counts: manifest.counts,
    ...{ finding: answer.finding, notes, headline },
    blocks: document.blocks,
  };
  const files = renderedWhenRead({
    "manifest.json": () => `${JSON.stringify(manifest, null, 2)}\n`,
    "summary.json": () => `${JSON.stringify(view, null, 2)}\n`,
    "report.md": () => renderMarkdown(briefDocument(document)),
    "report-full.md": () => renderMarkdown(document),
    "report.html": () => renderHtml(document),
    "report.json": () => `${JSON.stringify(page)}\n`,
    "series.csv": () => csv,
  });
  return { files, page, headline, manifest, ...(comment !== undefined && { comment }) };
}

/** A file each, rendered once, when it is first read: who asks for one form does not pay for all. */
function renderedWhenRead(
  files: Readonly<Record<string, () => string>>,
): Readonly<Record<string, string>> {
  const rendered = new Map<string, string>();
  const property = (name: string, render: () => string): PropertyDescriptor => ({
    enumerable: true,
    get: () => {
      const text = rendered.get(name) ?? render();
      rendered.set(name, text);
      return text;
    },
  });
  const entries = Object.entries(files).map(([name, render]) => [name, property(name, render)]);
  return Object.defineProperties({}, Object.fromEntries(entries));
}
