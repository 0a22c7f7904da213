import {
  type Block,
  type FirstScreen,
  graveWarning,
  heading,
  list,
  makeTable,
  type Note,
  paragraph,
  plain,
  proseColumn,
  type ReportDocument,
  rowHeader,
  spansOf,
  strong,
  type Table,
  type Text,
  textColumn,
  verdictColumn,
} from "./document/document.ts";
import { count, missing, plural } from "./document/format.ts";
import { deeper, withPrefix } from "./document/sections.ts";
import { type ExperimentPage, renderedWhenRead } from "./experiment-report.ts";
import { renderHtml } from "./render/html.ts";
import { briefDocument, renderMarkdown } from "./render/markdown.ts";
import { renderTerminal } from "./render/terminal.ts";

interface OverviewInputs {
  readonly runId: string;
  /** The experiments in the order in which they ran. */
  readonly experiments: readonly ReportedExperiment[];
}

export interface ReportedExperiment {
  readonly experiment: string;
  /** Absent if no report of the experiment was written. */
  readonly page?: ExperimentPage;
  /** Why the experiment did not end as planned. */
  readonly failure?: string;
}

export interface RenderedOverview {
  /** Text by file name: summary.json, report.md, report-full.md, report.html. */
  readonly files: Readonly<Record<string, string>>;
  /** The findings for the terminal, one line per experiment. */
  readonly headline: string;
}

/** Renders the report of a run of several experiments: first the findings of all, then each one's own report. Pure. */
export function renderOverview(inputs: OverviewInputs): RenderedOverview {
  const title = `Kelvin: ${plural(inputs.experiments.length, "experiment")}`;
  const first = firstScreen(inputs);
  const documentOf = (partOf: (document: ReportDocument) => ReportDocument): ReportDocument => ({
    title,
    blocks: [first, ...inputs.experiments.flatMap(({ page }) => experimentBlocks(page, partOf))],
  });
  const whole = () => documentOf((document) => document);
  return {
    files: renderedWhenRead({
      "summary.json": () => `${JSON.stringify(summary(inputs), null, 2)}\n`,
      "report.md": () => renderMarkdown(documentOf(briefDocument)),
      "report-full.md": () => renderMarkdown(whole()),
      "report.html": () => renderHtml(whole()),
    }),
    // The sentences on eight experiments would fill two screens. The files contain them.
    headline: renderTerminal(
      title,
      { ...first, blocks: first.blocks.filter(({ kind }) => kind !== "list") },
      { linesBelow: 1 },
    ),
  };
}

function experimentBlocks(
  page: ExperimentPage | undefined,
  partOf: (document: ReportDocument) => ReportDocument,
): readonly Block[] {
  if (page === undefined) return [];
  const prefix = `${page.experiment}-`;
  return [heading(2, page.title), ...deeper(partOf(page).blocks, prefix)];
}

function firstScreen({ runId, experiments }: OverviewInputs): FirstScreen {
  const pages = experiments.flatMap(({ page }) => page ?? []);
  // A note is shown once, with the details of the first experiment that has it.
  const notes = pages.flatMap((page) => page.notes);
  const different = notes.filter(
    (note, index) => notes.findIndex((other) => noteText(other) === noteText(note)) === index,
  );
  return {
    kind: "first-screen",
    blocks: [
      ...experiments.flatMap(shortcoming),
      ...different,
      paragraph(`What was found, by experiment (run ${runId}):`),
      foundTable(experiments),
      list(experiments.map(foundText)),
    ],
  };
}

/** Returns one row per experiment: its strongest comparison, or why there is none. */
function foundTable(experiments: readonly ReportedExperiment[]): Table {
  const outcomeOf = ({ page }: ReportedExperiment) => page?.outcome;
  const prefixed = (row: ReportedExperiment, text: Text = missing) =>
    withPrefix(text, `${row.experiment}-`);
  const hasRanges = experiments.some((row) => outcomeOf(row)?.onLambda !== undefined);
  const lambda = hasRanges
    ? " On Lambda: ratios of the same two, 90% ranges from the least to the most, starts and, in brackets, calls."
    : "";
  return makeTable<ReportedExperiment>(
    {
      id: "answer",
      caption: `The strongest comparison of each experiment, as measured, over its sizes and operations: the strongest ratio of each, and how many share its direction.${lambda}`,
    },
    [
      rowHeader("experiment", ({ experiment }) => experiment),
      proseColumn("compared", (row) => comparedText(row)),
      verdictColumn("start", (row) => prefixed(row, outcomeOf(row)?.start)),
      verdictColumn("call", (row) => prefixed(row, outcomeOf(row)?.call)),
      hasRanges ? textColumn("on Lambda", (row) => outcomeOf(row)?.onLambda ?? missing) : undefined,
    ],
    experiments,
  );
}

function comparedText({ page }: ReportedExperiment): string {
  if (page === undefined) return "nothing reported";
  const { outcome } = page;
  return outcome === undefined ? "nothing to compare" : `${outcome.subject} vs. ${outcome.against}`;
}

/** Returns a warning if an experiment is incomplete or has no report. */
function shortcoming({ experiment, page, failure }: ReportedExperiment): readonly Block[] {
  const why = failure === undefined ? "" : ` ${failure}`;
  if (page === undefined) return [graveWarning([strong(`No report of ${experiment}.`), why])];
  const { planned, recorded } = page.counts;
  if (failure === undefined && page.status === "complete" && recorded >= planned) return [];
  const sizes = `${count(recorded)} of ${count(planned)} planned samples were recorded.`;
  return [graveWarning([strong(`${experiment} is PARTIAL:`), ` ${sizes}${why}`])];
}

function foundText({ experiment, page }: ReportedExperiment): Text {
  if (page === undefined) return [strong(`${experiment}:`), " nothing was reported."];
  const sentence = withPrefix(page.finding, `${page.experiment}-`);
  return [strong(`${page.title}:`), " ", ...spansOf(sentence)];
}

/** Returns the first span of a note, which is in bold. */
function noteText({ text }: Note): string {
  return plain(spansOf(text).slice(0, 1));
}

/** Returns the findings for scripts. The numbers are in each experiment's own summary.json. */
function summary({ runId, experiments }: OverviewInputs): object {
  return {
    schemaVersion: 1,
    runId,
    experiments: experiments.map(({ experiment, page, failure }) => ({
      experiment,
      ...(page !== undefined && {
        title: page.title,
        question: page.question,
        finding: plain(page.finding),
        status: page.status,
        counts: page.counts,
      }),
      ...(failure !== undefined && { failure }),
    })),
  };
}
