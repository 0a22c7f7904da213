import { hasDeployments } from "../../analysis/cell-pairs.ts";
import type { Comparison } from "../../analysis/comparisons.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Row } from "../../analysis/rows.ts";
import type { Phase } from "../../analysis/series-view.ts";
import { isSameSize } from "../../plan/matrix.ts";
import { cellColumns } from "../document/cell-labels.ts";
import {
  type Block,
  code,
  heading,
  makeTable,
  numberColumn,
  paragraph,
  rowHeader,
  type Span,
  type Table,
  verdictColumn,
  warning,
} from "../document/document.ts";
import {
  count,
  measureText,
  metricName,
  missing,
  number,
  plural,
  ratioText,
  sizeText,
  verdictText,
} from "../document/format.ts";
import { baselineOr, comparedText, ratioColumns } from "./cold.ts";

/** Shows the CPU time and instructions of the work, which do not depend on a quota or on clock noise. */
export function processorSection(view: ReportView): readonly Block[] {
  const blocks = [...cpuBlocks(view), ...instructionBlocks(view)];
  return blocks.length === 0
    ? []
    : [heading(2, "CPU time and instructions", "What each phase cost the processor."), ...blocks];
}

function cpuBlocks(view: ReportView): readonly Block[] {
  const rows = view.rows.cold.filter(
    (row) => row.initCpuMs !== undefined || row.invocationCpuMs !== undefined,
  );
  if (rows.length === 0) return [];
  return [
    heading(3, "CPU time"),
    paragraph(
      "The CPU time of the environment's processes, user and system, as accounted by their control group. Where a function's share of a CPU is small, it takes longer than this.",
    ),
    cpuTable(view, rows),
  ];
}

function cpuTable(view: ReportView, rows: readonly Row[]): Table {
  const { coldOperation, warmOperations, sizes } = view.plan;
  const operations = sizes.warmEnvironments === 0 ? [] : warmOperations;
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  return makeTable<Row>(
    {
      id: "cpu-time",
      caption: `CPU time: mean [95% CI] over environments, ms; ratio to ${baseline} (2: twice as much). The verdict is on the first request. n counts first requests.`,
    },
    [
      ...cellColumns<Row>(view, (row) => row.cell),
      numberColumn("n", (row) => sizeText(row.invocationCpuMs)),
      numberColumn("Init CPU ms", (row) => measureText(row.initCpuMs)),
      numberColumn("Init ratio", (row) => baselineOr(view, row, ratioText(row.compared.initCpuMs))),
      numberColumn("First request CPU ms", (row) => measureText(row.invocationCpuMs)),
      ...ratioColumns(view, (row) => row.compared.invocationCpuMs, "First ratio"),
      numberColumn("Second CPU ms", (row) =>
        measureText(view.rowOf(row.cell, "second", coldOperation)?.invocationCpuMs),
      ),
      ...operations.map((operation) =>
        numberColumn<Row>(["Warm ", code(operation), " CPU ms"], (row) =>
          measureText(view.rowOf(row.cell, "warm", operation)?.invocationCpuMs),
        ),
      ),
    ],
    rows,
  );
}

/** A count in the table: of Init, or of the invocations of a series. */
interface Counted {
  readonly name: readonly Span[];
  readonly countOf: (row: Row) => number | undefined;
}

/** Shows instructions by phase, from samples that no time statistic uses; empty if there are none. */
function instructionBlocks(view: ReportView): readonly Block[] {
  const counted = Object.values(view.rows)
    .flat()
    .filter(({ instructions }) => instructions !== undefined);
  const ids = new Set(counted.map(({ cell }) => cell.id));
  const rows = view.rows.cold.filter(({ cell }) => ids.has(cell.id));
  if (rows.length === 0) return [];
  return [
    heading(3, "Instructions"),
    paragraph(
      "Instructions that the process executed in user space, counted by callgrind in separate environments after the timed ones. A count does not depend on the clock or on the share of a CPU; the ratios are of medians and have no interval. Valgrind does not offer the processor's hashing instructions, so signing a request weighs more here than in reality.",
    ),
    instructionTable(view, rows),
  ];
}

function instructionTable(view: ReportView, rows: readonly Row[]): Block {
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  const columns = countedColumns(view);
  return makeTable<Row>(
    {
      id: "instructions",
      caption: `Instructions in user space, millions: median over environments; ratio to ${baseline} at the same size (2: twice as many). n: samples of the first, the second and the warm invocations.`,
    },
    [
      ...cellColumns<Row>(view, (row) => row.cell),
      numberColumn("n", (row) => sizesText(view, row)),
      ...columns.flatMap(({ name, countOf }) => [
        numberColumn<Row>([...name, " M"], (row) => millions(countOf(row))),
        numberColumn<Row>([...name, " ratio"], (row) =>
          ratioTo(countOf(row), baselineCount(view, row, countOf)),
        ),
      ]),
    ],
    rows,
  );
}

function countedColumns(view: ReportView): readonly Counted[] {
  const { coldOperation, warmOperations } = view.plan;
  const column = (
    name: readonly Span[],
    phase: Phase,
    operation: string,
    key: "initMedian" | "invocationMedian",
  ): Counted => ({
    name,
    countOf: (row) => view.rowOf(row.cell, phase, operation)?.instructions?.[key],
  });
  const warm = warmOperations.map((operation) =>
    column(["Warm ", code(operation)], "warm", operation, "invocationMedian"),
  );
  return [
    column(["Init"], "cold", coldOperation, "initMedian"),
    column(["First"], "cold", coldOperation, "invocationMedian"),
    column(["Second"], "second", coldOperation, "invocationMedian"),
    ...warm.filter(({ countOf }) => view.rows.cold.some((row) => countOf(row) !== undefined)),
  ];
}

/** Returns the same count for the baseline's cell of the same size. */
function baselineCount(
  view: ReportView,
  { cell }: Row,
  countOf: Counted["countOf"],
): number | undefined {
  const baseline = view.rows.cold.find(
    (series) =>
      series.cell.variant === view.subject.baselineVariant && isSameSize(series.cell, cell),
  );
  return baseline && countOf(baseline);
}

function ratioTo(value: number | undefined, baseline: number | undefined): string {
  return value === undefined || baseline === undefined || baseline === 0
    ? missing
    : number(value / baseline);
}

function millions(instructions: number | undefined): string {
  return number(instructions === undefined ? undefined : instructions / 1_000_000);
}

function sizesText(view: ReportView, row: Row): string {
  const { coldOperation } = view.plan;
  const warm = view.rows.warm.filter((series) => series.cell.id === row.cell.id);
  const sizes = [
    row.instructions?.n,
    view.rowOf(row.cell, "second", coldOperation)?.instructions?.n,
    warm.reduce((sum, { instructions }) => sum + (instructions?.n ?? 0), 0),
  ];
  return sizes.map((n) => (n === undefined ? missing : count(n))).join(", ");
}

/** Returns the range of ratios within the noise floor, symmetric about 1. */
function floorText(nearer: number): string {
  return `${number(1 / nearer, 3)} to ${number(nearer, 3)}`;
}

/** Shows the overhead of the instrument itself, and its noise floor. */
export function instrumentSection(view: ReportView): readonly Block[] {
  return [
    heading(2, "The instrument", noiseTakeaway(view)),
    heading(3, "The cost of the host itself"),
    floorBlock(view),
    heading(3, "Noise floor: the same code, deployed twice"),
    ...replicaBlocks(view),
  ];
}

function noiseTakeaway({ comparisons: { replicas } }: ReportView): string {
  if (replicas.length === 0) return "No A/A pair was run.";
  const called = replicas.filter(({ verdict }) => verdict === "faster" || verdict === "slower");
  const differs = `${count(called.length)} of ${plural(replicas.length, "comparison")}`;
  const floor = Math.max(0, ...replicas.flatMap(({ noiseFloor }) => noiseFloor ?? []));
  const factor =
    floor === 0 ? "" : `, by a factor of ${number(1 + floor, 2)} or more where it differs most`;
  return `The same code, measured under two names, is called different in ${differs}${factor}.`;
}

function floorBlock({ manifest }: ReportView): Block {
  const { floor, target } = manifest;
  if (floor === undefined) {
    return target === "local"
      ? warning(
          "The cost of the host itself was not measured in this run, so how much of each Duration it accounts for is unknown.",
        )
      : paragraph(
          "On AWS the times are Lambda's own (REPORT line); there is no host of Kelvin's to measure.",
        );
  }
  const { n, environments, durationMs, durationLowMs, durationHighMs, initDurationMs } = floor;
  const interval = `${number(durationMs)} [${number(durationLowMs)}, ${number(durationHighMs)}]`;
  return paragraph(
    `A function that does nothing, at full CPU, takes ${interval} ms a warm call (median; n = ${count(n)} in ${plural(environments, "environment")}) and ${number(initDurationMs)} ms of Init. That much of every Duration above is due to the host; it is not subtracted.`,
  );
}

function replicaBlocks(view: ReportView): readonly Block[] {
  const { replicas } = view.comparisons;
  const [first] = replicas;
  if (first === undefined) {
    return [
      warning(
        "No A/A pair was run, so there is no noise floor, and the verdicts rest on the intervals and the margin alone.",
      ),
    ];
  }
  const cell = `One cell (${count(first.cell.memoryMb)} MB, ${first.cell.architecture})`;
  return [
    paragraph(
      hasDeployments(view.plan)
        ? `${cell} was deployed under two names. At that size, a difference inside the noise floor is "within A/A noise", whatever the interval says. No floor was measured at the other sizes, where the verdicts rest on the intervals and the margin alone.`
        : `${cell} was measured under two names. On one machine both are the same files, so that they differ by chance alone, which intervals and tests account for: no verdict rests on the pair. Where it is called different, something else on the machine was.`,
    ),
    noiseTable(first, replicas),
  ];
}

function noiseTable({ cell, baselineCell }: Comparison, replicas: readonly Comparison[]): Block {
  return makeTable<Comparison>(
    {
      id: "noise-floor",
      caption: `A/A pair: ratio of ${cell.id} to ${baselineCell.id} [95% CI]. The true ratio of the code is 1. The noise floor of two deployments extends from the nearer bound of an interval that does not contain 1 to its inverse; no floor otherwise.`,
    },
    [
      rowHeader("Phase", (row) => row.phase),
      rowHeader("Operation", (row) => [code(row.operation)]),
      rowHeader("Quantity", (row) => metricName(row.quantity)),
      numberColumn("n of each", comparedText),
      numberColumn("Ratio", (row) => ratioText(row, 3)),
      numberColumn("Floor", ({ noiseFloor }) =>
        noiseFloor === undefined || noiseFloor === 0 ? missing : floorText(1 + noiseFloor),
      ),
      verdictColumn("Verdict", verdictText),
    ],
    replicas,
  );
}
