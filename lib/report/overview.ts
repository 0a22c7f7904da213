import {
  type Block,
  type Chart,
  type FirstScreen,
  graveWarning,
  type Heading,
  heading,
  list,
  makeTable,
  type Note,
  paragraph,
  plain,
  proseColumn,
  type ReportDocument,
  rowHeader,
  strong,
  type Table,
  type Text,
  textColumn,
  verdictColumn,
} from "./document/document.ts";
import { count, missing, plural } from "./document/format.ts";
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
  return [heading(2, page.title), ...nested(partOf(page).blocks, prefix)];
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
      caption: `The strongest comparison of each experiment, as measured, over its sizes and operations: ~ is the same within the margin, ? is inconclusive.${lambda}`,
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
  const { title, finding, experiment: id } = page;
  const sentence = withPrefix(finding, `${id}-`);
  return [strong(`${title}:`), " ", ...(typeof sentence === "string" ? [sentence] : sentence)];
}

/** Returns the first span of a note, which is in bold. */
function noteText({ text }: Note): string {
  return typeof text === "string" ? text : plain(text.slice(0, 1));
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

const deeper = { 1: 2, 2: 3, 3: 4, 4: 4 } as const;

/** Returns a document's blocks as part of a larger one: headings one level deeper, ids with a prefix. */
function nested(blocks: readonly Block[], prefix: string): readonly Block[] {
  return blocks.map((block) => nestedBlock(block, prefix));
}

function nestedBlock(block: Block, prefix: string): Block {
  switch (block.kind) {
    case "heading":
      return { ...block, level: deeper[block.level] satisfies Heading["level"] };
    case "paragraph":
      return { ...block, text: withPrefix(block.text, prefix) };
    case "list":
      return { ...block, items: block.items.map((item) => withPrefix(item, prefix)) };
    case "table":
      return nestedTable(block, prefix);
    case "details": {
      const { section } = block;
      const blocks = nested(block.blocks, prefix);
      if (section === undefined) return { ...block, blocks };
      return { ...block, blocks, section: { ...section, level: deeper[section.level] } };
    }
    case "first-screen":
      return {
        ...block,
        blocks: nested(block.blocks, prefix),
        ...(block.chart !== undefined && { chart: nestedChart(block.chart, prefix) }),
      };
    case "chart":
      return nestedChart(block, prefix);
    default:
      return block;
  }
}

function nestedTable(table: Table, prefix: string): Table {
  const rowIds = table.rowIds?.map((id) => prefix + id);
  const rows = table.rows.map((row) => row.map((cell) => withPrefix(cell, prefix)));
  return { ...table, id: prefix + table.id, rows, ...(rowIds !== undefined && { rowIds }) };
}

/** Adds the prefix to link targets, in the same way as to ids. */
function withPrefix(text: Text, prefix: string): Text {
  if (typeof text === "string") return text;
  return text.map((span) =>
    typeof span !== "string" && span.mark === "link" ? { ...span, to: prefix + span.to } : span,
  );
}

function nestedChart(chart: Chart, prefix: string): Chart {
  const panels = chart.panels.map((panel) => ({ ...panel, svg: renamed(panel.svg, prefix) }));
  return { ...chart, id: prefix + chart.id, tableId: prefix + chart.tableId, panels };
}

/** Prefixes the ids of an SVG. Only its title and description have ids; the SVG refers to them. */
function renamed(svg: string, prefix: string): string {
  return svg.replace(/ (id|aria-labelledby)="([^"]*)"/g, (_, name: string, ids: string) => {
    const all = ids.split(" ").map((id) => prefix + id);
    return ` ${name}="${all.join(" ")}"`;
  });
}
