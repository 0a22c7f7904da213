import {
  type Measured,
  measured,
  type OwnMetric,
  readField,
} from "../../analysis/collected-series.ts";
import { type Comparison, comparisonsFrom } from "../../analysis/comparisons.ts";
import type { PublishedSource } from "../../analysis/published.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Row } from "../../analysis/rows.ts";
import type { SummaryInputs } from "../../analysis/summary.ts";
import published from "../../contract/published.json" with { type: "json" };
import type { Sample } from "../../contract/types/contract.ts";
import { cellColumns } from "../../report/document/cell-labels.ts";
import {
  type Block,
  code,
  heading,
  makeTable,
  numberColumn,
  paragraph,
  rowHeader,
  strong,
  textColumn,
} from "../../report/document/document.ts";
import { measureText, number, sizeText } from "../../report/document/format.ts";
import type { ExperimentReport } from "../../report/experiment-report.ts";
import { ratioColumns } from "../../report/section/cold.ts";
import { publishedPlace, sentence } from "../../report/section/columns.ts";
import { leadSection } from "../../report/section/lead.ts";

const { compute } = published;
const { fibonacciN, region, architecture, memoryMb, vectorElements } = compute.conditions;

/** Index of the Fibonacci number that the source computed. */
const publishedN = fibonacciN;

/** Published ratio of Python's Duration to Rust's for the Fibonacci number. */
const publishedLead = compute.pythonToRustDurationRatio;

const publishedCompute: PublishedSource = {
  source: compute.source,
  conditions: { region, architecture, memoryMb, fibonacciN, vectorElements },
  baselineVariant: "rust",
  seriesOf: ({ variant }, operation, phase) => {
    if (variant === "rust" && phase === "cold")
      return { initDurationMs: compute.rustInitDurationMs };
    const isLead = variant === "python" && phase === "warm" && operation === "fibonacci";
    return isLead ? { durationRatio: publishedLead } : undefined;
  },
};

/** Time of the work alone, on the function's own clock. */
const workMetric: OwnMetric = "own.workMs";

/** Figures that only this experiment's report has: `own` in summary.json. */
interface ComputeFigures {
  /** Ratios of the warm time of the work to the baseline's. */
  readonly workComparisons: readonly Comparison[];
}

function measureWork({ result }: Sample): Measured {
  return measured({ [workMetric]: readField(result, "durationMs") });
}

function computeFigures({ plan, subject, samples }: SummaryInputs): ComputeFigures {
  const { variants } = comparisonsFrom(
    plan,
    subject.baselineVariant,
    (cell, { operation, phase, quantity }) =>
      samples.series(cell.id, operation, phase).series(quantity),
    [{ phase: "warm", metrics: [workMetric] }],
  );
  // An operation without an expected result computes nothing, and has no work to compare.
  const computes = (operation: string) => plan.requests?.[operation]?.expected !== undefined;
  return { workComparisons: variants.filter(({ operation }) => computes(operation)) };
}

/** The report of `compute`: the work on the function's own clock, and how the lead changes with memory. */
export const computeReport: ExperimentReport = {
  metrics: [workMetric],
  metricsOf: measureWork,
  published: publishedCompute,
  part: (inputs) => {
    const figures = computeFigures(inputs);
    return {
      figures,
      evidence: (view) => [...initNote(view), ...publishedNote(view)],
      sections: (view) => [...workBlocks(view, figures), ...leadSection(view)],
      limits: [
        "Two small programs on one thread: the ratio holds for this work only.",
        "A share of a CPU is granted in slices of time. Work that ends within the first slice is not throttled, so ratios at small memory sizes grow with the length of the work.",
        ...floorLimits(inputs),
        "The Rust compiler may inline and unroll, but it cannot skip the work: arguments and results are opaque to it (std::hint::black_box), and every result is checked.",
      ],
    };
  },
};

/** States what the `rust-floor` variant shows, if it was measured. */
function floorLimits({ plan }: SummaryInputs): readonly string[] {
  if (!plan.cells.some(({ variant }) => variant === "rust-floor")) return [];
  return [
    "Rust (own runtime loop) has one connection to Lambda's Runtime API and nothing else, and is built for size, including its work. What is left of its Init belongs to Lambda and the operating system, and no function code can remove it.",
  ];
}

function initNote(view: ReportView): readonly Block[] {
  const comparisons = view.comparisons.variants.filter(
    ({ phase, quantity }) => phase === "cold" && quantity === "initDurationMs",
  );
  if (comparisons.length === 0) return [];
  return [paragraph([strong("Init, with no SDK in it:"), sentence(view, comparisons)])];
}

function publishedNote(view: ReportView): readonly Block[] {
  const { published } = view;
  if (published === undefined || published.series.length === 0) return [];
  const n = view.plan.requests?.fibonacci?.parameters?.n;
  const other = n === publishedN ? "" : `, of Fibonacci number ${publishedN} and not ${n}`;
  return [
    paragraph([
      strong("Published, not measured here:"),
      ` Python over Rust about ${number(publishedLead, 0)} times in Duration${other} (${publishedPlace(published)}).`,
    ]),
  ];
}

/** Shows the work on the function's own clock, and the known result that every sample is checked against. */
function workBlocks(view: ReportView, figures: ComputeFigures): readonly Block[] {
  const asked = Object.entries(view.plan.requests ?? {});
  const rows = view.rows.warm.filter(({ operation }) =>
    asked.some(([name, { expected }]) => name === operation && expected !== undefined),
  );
  if (rows.length === 0) return [];
  return [
    heading(
      2,
      "The work itself",
      "The same work on the function's own clock, with every result checked.",
    ),
    paragraph(
      "Measured by the function's own clock around the work alone. A sample counts only if its result is the known one: a function that computes something else, or nothing, is rejected rather than fast.",
    ),
    requestTable(asked),
    workTable(view, figures, rows),
  ];
}

type Asked = readonly [
  operation: string,
  request: NonNullable<ReportView["plan"]["requests"]>[string],
];

function requestTable(asked: readonly Asked[]): Block {
  const listed = (values: Readonly<Record<string, string | number>> = {}) =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${value}`)
      .join(", ") || "none";
  return makeTable<Asked>(
    { id: "requests", caption: "The input of each operation, and its known result." },
    [
      rowHeader("Operation", ([operation]) => [code(operation)]),
      textColumn("Parameters", ([, { parameters }]) => listed(parameters)),
      textColumn("Result", ([, { expected }]) => listed(expected)),
    ],
    asked,
  );
}

function workTable(view: ReportView, figures: ComputeFigures, rows: readonly Row[]): Block {
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  const compared = (row: Row) =>
    figures.workComparisons.find(
      ({ cell, operation }) => cell.id === row.cell.id && operation === row.operation,
    );
  return makeTable<Row>(
    {
      id: "work",
      caption: `Warm, the work alone: mean [95% CI], ms; ratio to ${baseline} (2: twice as long).`,
    },
    [
      rowHeader("Operation", (row) => [code(row.operation)]),
      ...cellColumns<Row>(view, (row) => row.cell),
      numberColumn("n in environments", (row) => sizeText(row.own?.workMs)),
      numberColumn("Work ms", (row) => measureText(row.own?.workMs)),
      ...ratioColumns(view, compared),
    ],
    rows,
  );
}
