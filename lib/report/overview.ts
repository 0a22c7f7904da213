import {
  type Block,
  type Chart,
  type Heading,
  heading,
  list,
  type Note,
  paragraph,
  plain,
  type ReportDocument,
  strong,
  type Text,
  warning,
} from "./document/document.ts";
import { count, plural } from "./document/format.ts";
import type { ExperimentPage } from "./experiment-report.ts";
import { renderHtml } from "./render/html.ts";
import { renderMarkdown } from "./render/markdown.ts";
import { renderTerminal } from "./render/terminal.ts";

interface OverviewInputs {
  readonly runId: string;
  /** In the order in which they ran. */
  readonly experiments: readonly ReportedExperiment[];
}

export interface ReportedExperiment {
  readonly experiment: string;
  /** Absent: no report of it was written. */
  readonly page?: ExperimentPage;
  /** Why it did not come to its end as planned. */
  readonly failure?: string;
}

export interface RenderedOverview {
  /** Text by file name: summary.json, report.md, report.html. */
  readonly files: Readonly<Record<string, string>>;
  /** For the terminal: what was found, an experiment a line. */
  readonly headline: string;
}

/** The report of a run of several experiments: what each found, and then each one's own report. Pure. */
export function renderOverview(inputs: OverviewInputs): RenderedOverview {
  const first = firstPage(inputs);
  const title = `Kelvin: ${plural(inputs.experiments.length, "experiment")}`;
  const sections = inputs.experiments.flatMap(({ page }) =>
    page === undefined
      ? []
      : [heading(2, page.title), ...nested(page.blocks, `${page.experiment}-`)],
  );
  const document: ReportDocument = { title, blocks: [...first, ...sections] };
  return {
    files: {
      "summary.json": `${JSON.stringify(summary(inputs), null, 2)}\n`,
      "report.md": renderMarkdown(document),
      "report.html": renderHtml(document),
    },
    headline: renderTerminal(title, first, { title, blocks: [] }),
  };
}

function firstPage({ runId, experiments }: OverviewInputs): readonly Block[] {
  const pages = experiments.flatMap(({ page }) => page ?? []);
  // Said once, with the detail of the experiment that has it first.
  const notes = pages.flatMap((page) => page.notes);
  const different = notes.filter(
    (note, index) => notes.findIndex((other) => noteText(other) === noteText(note)) === index,
  );
  return [
    paragraph(`Run ${runId}: one experiment after another, each with a report of its own below.`),
    ...experiments.flatMap(shortcoming),
    ...different,
    heading(2, "What was found"),
    list(experiments.map(foundText)),
  ];
}

/** What is missing of an experiment: nothing hides it. */
function shortcoming({ experiment, page, failure }: ReportedExperiment): readonly Block[] {
  const why = failure === undefined ? "" : ` ${failure}`;
  if (page === undefined) return [warning([strong(`No report of ${experiment}.`), why])];
  const { planned, recorded } = page.counts;
  if (failure === undefined && page.status === "complete" && recorded >= planned) return [];
  const sizes = `${count(recorded)} of ${count(planned)} planned samples were recorded.`;
  return [warning([strong(`${experiment} is PARTIAL:`), ` ${sizes}${why}`])];
}

function foundText({ experiment, page }: ReportedExperiment): Text {
  if (page === undefined) return [strong(`${experiment}:`), " nothing was reported."];
  const { title, finding } = page;
  return [strong(`${title}:`), " ", ...(typeof finding === "string" ? [finding] : finding)];
}

/** What a note says first, in bold. */
function noteText({ text }: Note): string {
  return typeof text === "string" ? text : plain(text.slice(0, 1));
}

/** The findings for scripts; the numbers are in each experiment's own summary.json. */
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

/** A document's blocks as a part of a larger one: headings a level deeper, ids with a prefix of their own. */
function nested(blocks: readonly Block[], prefix: string): readonly Block[] {
  return blocks.map((block) => nestedBlock(block, prefix));
}

function nestedBlock(block: Block, prefix: string): Block {
  switch (block.kind) {
    case "heading":
      return { ...block, level: deeper[block.level] satisfies Heading["level"] };
    case "table":
      return { ...block, id: prefix + block.id };
    case "details":
      return { ...block, blocks: nested(block.blocks, prefix) };
    case "chart":
      return nestedChart(block, prefix);
    default:
      return block;
  }
}

function nestedChart(chart: Chart, prefix: string): Chart {
  const panels = chart.panels.map((panel) => ({ ...panel, svg: renamed(panel.svg, prefix) }));
  return { ...chart, id: prefix + chart.id, tableId: prefix + chart.tableId, panels };
}

/** Only the element's title and description have ids, and the element names them. */
function renamed(svg: string, prefix: string): string {
  return svg.replace(/ (id|aria-labelledby)="([^"]*)"/g, (_, name: string, ids: string) => {
    const all = ids.split(" ").map((id) => prefix + id);
    return ` ${name}="${all.join(" ")}"`;
  });
}
