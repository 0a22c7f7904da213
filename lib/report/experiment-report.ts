import type { CollectOptions } from "../analysis/collect-samples.ts";
import type { Measured, OwnMetric } from "../analysis/collected-series.ts";
import type { PublishedSource } from "../analysis/published.ts";
import type { ReportSubject, Traffic } from "../analysis/report-subject.ts";
import type { ReportView } from "../analysis/report-view.ts";
import type { Summary, SummaryInputs } from "../analysis/summary.ts";
import { defined } from "../contract/defined.ts";
import type { Manifest, Plan, Sample } from "../contract/types/contract.ts";
import type { PriceTable } from "../cost/prices.ts";
import type { Block, Chart, Note, ReportDocument, Text } from "./document/document.ts";
import { wrapped } from "./document/wrapped.ts";
import type { Answer } from "./first-screen/first-screen.ts";
import type { PairOutcome } from "./first-screen/pair-outcomes.ts";
import type { Topic } from "./first-screen/topic.ts";
import { renderHtml } from "./render/html.ts";
import { briefDocument, renderComment, renderMarkdown } from "./render/markdown.ts";
import { hasRoomBelow, renderTerminal } from "./render/terminal.ts";

/** An experiment's additions to the common report. */
export interface ExperimentReport {
  /** The metrics read from a kept sample in addition to the common ones. */
  readonly metrics: readonly OwnMetric[];
  metricsOf(sample: Sample): Measured;
  readonly published?: PublishedSource;
  /** Builds the experiment's part once the samples have been read. */
  part(inputs: SummaryInputs): OwnPart;
}

/** An experiment's own part of a run's report. */
export interface OwnPart {
  /** The experiment's own figures, unrounded: `own` in summary.json. Absent if it has none. */
  readonly figures?: object;
  /**
   * Notes to read before the experiment's own numbers.
   * @default none
   */
  notes?(view: ReportView): readonly Note[];
  /**
   * Conclusions that no single comparison supports, one sentence each.
   * @default none
   */
  lead?(view: ReportView): readonly Text[];
  /**
   * The topics that its sentences compare.
   * @default every variant with the baseline, on a cold start and on a warm call
   */
  topics?(view: ReportView): readonly Topic[];
  /**
   * The chart of the first screen.
   * @default the cold starts
   */
  chart?(view: ReportView): readonly Chart[];
  /**
   * The place and conditions of the topics' published ratios.
   * @default the conditions of `published`
   */
  readonly publishedPlace?: string;
  /** The evidence for the answer, in words. */
  evidence?(view: ReportView): readonly Block[];
  /** Sections placed before the tables that every report has. */
  sections(view: ReportView): readonly Block[];
  /** Limits of the experiment's conclusions. */
  readonly limits: readonly Text[];
}

export interface ReportInputs extends CollectOptions {
  readonly plan: Plan;
  readonly manifest: Omit<Manifest, "counts">;
  readonly subject: ReportSubject;
  /** The samples are streamed: each is read once and none is kept in memory. */
  readonly samples: AsyncIterable<Sample>;
  readonly prices: PriceTable;
  /**
   * The traffic that costs are stated for.
   * @default a million invocations a month; of a whole log its own share of cold starts, otherwise one in a hundred
   */
  readonly traffic?: Partial<Traffic>;
}

export interface RenderedReport extends Pick<ExperimentPage, "headline" | "lastLine"> {
  /** Text by file name: manifest.json, summary.json, report.md, report-full.md, report.html and .json, series.csv. */
  readonly files: Readonly<Record<string, string>>;
  /** The report as data, for the report of a run of several experiments. */
  readonly page: ExperimentPage;
  /** What summary.json contains. Absent for a study, whose figures are about engines. */
  readonly summary?: Summary;
  /** Comment for a pull request. Absent for a study, whose report is about engines. */
  readonly comment?: string;
  /** The manifest as given, with the counts of the samples read. */
  readonly manifest: Manifest;
}

/**
 * An experiment's report as data, report.json. The report of a whole run is built from these pages,
 * so that no sample is read again.
 */
export interface ExperimentPage {
  readonly schemaVersion: 1;
  readonly experiment: string;
  readonly title: string;
  readonly question: string;
  readonly status: Manifest["status"];
  readonly counts: Manifest["counts"];
  /** The finding in one sentence. */
  readonly finding: Text;
  /** The strongest comparison. Absent if nothing was compared. */
  readonly outcome?: PairOutcome;
  /** Notes on the place of measurement, to read before any number. */
  readonly notes: readonly Note[];
  /** The first screen, for the terminal. */
  readonly headline: string;
  /** The outcome in one sentence, for a terminal's last line. Absent if nothing was compared. */
  readonly lastLine?: string;
  readonly blocks: readonly Block[];
}

/** The inputs of every form of a report, in addition to its document. */
interface ReportParts
  extends Pick<ExperimentPage, "notes">,
    Pick<RenderedReport, "summary" | "lastLine"> {
  readonly comment?: ReportDocument;
  readonly answer: Answer;
  /** series.csv. */
  readonly csv: string;
}

/** Renders a report in every form. `figures` are what summary.json contains. */
export function renderedReport(
  figures: Pick<Summary, "subject" | "manifest"> & { readonly plan: Pick<Plan, "experiment"> },
  document: ReportDocument,
  { answer, notes, csv, lastLine, comment, ...rest }: ReportParts,
): RenderedReport {
  const { subject, manifest, plan } = figures;
  const linesBelow = 1 + (lastLine === undefined ? 0 : wrapped(lastLine).length);
  const headline = renderTerminal(document.title, answer.block, { linesBelow: 1 });
  // The table shows what a last line without room says.
  const shown = {
    headline,
    ...(hasRoomBelow(headline, linesBelow) && defined({ lastLine })),
  };
  const page: ExperimentPage = {
    schemaVersion: 1,
    experiment: plan.experiment,
    title: document.title,
    question: subject.question,
    status: manifest.status,
    counts: manifest.counts,
    finding: answer.finding,
    ...(answer.outcome !== undefined && { outcome: answer.outcome }),
    notes,
    ...shown,
    blocks: document.blocks,
  };
  const files = renderedWhenRead({
    "manifest.json": () => `${JSON.stringify(manifest, null, 2)}\n`,
    "summary.json": () => `${JSON.stringify(figures, null, 2)}\n`,
    "report.md": () => renderMarkdown(briefDocument(document)),
    "report-full.md": () => renderMarkdown(document),
    "report.html": () => renderHtml(document),
    "report.json": () => `${JSON.stringify(page)}\n`,
    "series.csv": () => csv,
  });
  const inMarkdown = comment && renderComment(comment);
  return { files, page, manifest, ...shown, ...rest, ...defined({ comment: inMarkdown }) };
}

/** Returns files that are rendered on first access, once each: a caller pays only for the forms it reads. */
export function renderedWhenRead(
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
