import type { WarmupFailure } from "../../analysis/collect-samples.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Row } from "../../analysis/rows.ts";
import { cellColumns } from "../document/cell-labels.ts";
import {
  type Block,
  code,
  heading,
  makeTable,
  numberColumn,
  paragraph,
  proseColumn,
  rowHeader,
  type Table,
  type Text,
} from "../document/document.ts";
import {
  count,
  measureText,
  medianText,
  megabytesText,
  number,
  sizeText,
  tailText,
} from "../document/format.ts";
import { callsSdk, ratioColumns } from "./cold.ts";
import { hasPublished, publishedCaption, publishedRatio, spanText } from "./columns.ts";

function noWarmCalls({ manifest }: ReportView): string {
  return manifest.imported === undefined
    ? "No warm calls were planned in this run."
    : "Every imported invocation had an Init Duration: none was warm.";
}

/** Shows the later calls: Lambda's Duration, and the SDK call within it by the function's own clock. */
export function warmSection(view: ReportView, chart: readonly Block[]): readonly Block[] {
  const rows = view.rows.warm;
  if (rows.length === 0) {
    return [heading(2, "Warm", noWarmCalls(view)), paragraph(noWarmCalls(view))];
  }
  return [
    heading(2, "Warm", `Duration: ${spanText(rows.map(({ durationMs }) => durationMs.mean))}`),
    paragraph(
      view.manifest.imported !== undefined
        ? "Invocations without an Init Duration. They include the second ones of their environments, and none is discarded as a warm-up. The mean is over all of them."
        : "Calls after the discarded warm-up calls. The calls of an environment share a process and a moment, so the interval counts environments, not calls.",
    ),
    heading(3, "Duration"),
    ...chart,
    warmTable(view, "durationMs"),
    ...(callsSdk(view, rows) ? sdkCallBlocks(view) : []),
  ];
}

function sdkCallBlocks(view: ReportView): readonly Block[] {
  return [
    heading(3, "SDK call"),
    paragraph(
      `The time inside the SDK only, without what the function itself adds around it.${summedNote(view)}`,
    ),
    warmTable(view, "sdkCallMs"),
  ];
}

/** Notes that concurrent SDK calls can add up to more than the Duration. */
function summedNote(view: ReportView): string {
  const isSummed = view.rows.warm.some(
    ({ sdkCallMs, durationMs }) => (sdkCallMs.mean ?? 0) > (durationMs.mean ?? 0),
  );
  return isSummed ? " Concurrent calls are summed, so this can exceed the Duration." : "";
}

const metricNames = { durationMs: "Duration", sdkCallMs: "SDK call" } as const;

function warmTable(view: ReportView, quantity: keyof typeof metricNames): Table {
  const rows = view.rows.warm;
  const isPublished = hasPublished(rows);
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  const name = metricNames[quantity];
  return makeTable<Row>(
    {
      id: `warm-${quantity === "durationMs" ? "duration" : "sdk-call"}`,
      caption: `Warm ${name}: mean [95% CI], ms${quantity === "durationMs" ? ", with the median over environments and the P95 of all calls" : ""}; ratio of means to ${baseline} (2: twice as long).${publishedCaption(view, isPublished)}`,
    },
    [
      rowHeader("Operation", (row) => [code(row.operation)]),
      ...cellColumns<Row>(view, (row) => row.cell),
      numberColumn("n in environments", (row) => sizeText(row[quantity])),
      numberColumn(`${name} ms`, (row) => measureText(row[quantity])),
      ...(quantity === "durationMs" ? spreadColumns : []),
      quantity === "durationMs" && rows.some(({ setAsideMs }) => setAsideMs !== undefined)
        ? numberColumn<Row>("Set aside ms", ({ setAsideMs }) => number(setAsideMs?.mean))
        : undefined,
      ...ratioColumns(view, (row) => row.compared[quantity]),
      ...(isPublished
        ? [
            numberColumn<Row>("Published ms", (row) => number(row.published?.[quantity])),
            numberColumn<Row>("Published ratio", (row) =>
              number(publishedRatio(view, row, quantity)),
            ),
          ]
        : []),
    ],
    rows,
  );
}

const spreadColumns = [
  numberColumn<Row>("Median ms", ({ durationMs }) => medianText(durationMs)),
  numberColumn<Row>("P95 ms", ({ durationP95Ms }) => tailText(durationP95Ms)),
];

/** Shows the call that a variant makes in Init to warm its client; empty if no variant makes one. */
export function warmupSection(view: ReportView): readonly Block[] {
  const rows = view.rows.cold.filter(
    (row) => row.warmupMs !== undefined || findWarmupFailures(view, row).length > 0,
  );
  if (rows.length === 0) return [];
  return [
    heading(2, "Warm-up calls in Init", spanText(rows.map(({ warmupMs }) => warmupMs?.mean))),
    paragraph(
      "A variant that warms its client makes one call before it is ready: it is part of Init and billed with it, and its answer is discarded. If that call failed, the environment's first request was not warmed; it stays in the statistics.",
    ),
    warmupTable(view, rows),
  ];
}

function warmupTable(view: ReportView, rows: readonly Row[]): Block {
  const isPublished = rows.some(({ published }) => published?.warmupMs !== undefined);
  const failed = (row: Row) =>
    findWarmupFailures(view, row).reduce((sum, failure) => sum + failure.count, 0);
  return makeTable<Row>(
    {
      id: "warm-up-calls",
      caption: `Warm-up call in Init, failed ones included: mean [95% CI] over environments, ms, by the function's own clock.${publishedCaption(view, isPublished)}`,
    },
    [
      ...cellColumns<Row>(view, (row) => row.cell),
      numberColumn("n", (row) => sizeText(row.warmupMs)),
      numberColumn("Warm-up ms", (row) => measureText(row.warmupMs)),
      numberColumn("Failed", (row) => count(failed(row))),
      proseColumn("Failures", (row) => failuresText(findWarmupFailures(view, row))),
      isPublished
        ? numberColumn("Published ms", (row) => number(row.published?.warmupMs))
        : undefined,
    ],
    rows,
  );
}

function findWarmupFailures(view: ReportView, { cell }: Row): readonly WarmupFailure[] {
  return view.warmupFailures.filter(({ cellId }) => cellId === cell.id);
}

function failuresText(failures: readonly WarmupFailure[]): Text {
  if (failures.length === 0) return "none";
  return failures.flatMap((failure, index) => [
    ...(index === 0 ? [] : ["; "]),
    code(failure.type),
    ` (${count(failure.count)})`,
  ]);
}

/** Shows Max Memory Used, a peak since the environment started: it only grows. */
export function memorySection(view: ReportView): readonly Block[] {
  return [
    heading(
      2,
      "Memory used",
      spanText(
        view.rows.cold.map(({ maxMemoryUsedMb }) => maxMemoryUsedMb?.mean),
        "MB at the first request",
      ),
    ),
    paragraph("The peak since the environment started, as reported in the REPORT line."),
    memoryTable(view),
  ];
}

function memoryTable(view: ReportView): Block {
  const rows = view.rows.cold;
  const isPublished = hasPublished(rows);
  const { warmOperations, sizes } = view.plan;
  const operations = sizes.warmEnvironments === 0 ? [] : warmOperations;
  return makeTable<Row>(
    {
      id: "memory-used",
      caption: `Max Memory Used: mean [95% CI] over environments, MB; n counts first requests.${publishedCaption(view, isPublished)}`,
    },
    [
      ...cellColumns<Row>(view, (row) => row.cell),
      numberColumn("n", (row) => sizeText(row.maxMemoryUsedMb)),
      numberColumn("First request MB", (row) => megabytesText(row.maxMemoryUsedMb)),
      ...operations.map((operation) =>
        numberColumn<Row>(["Warm ", code(operation), " MB"], (row) =>
          megabytesText(view.rowOf(row.cell, "warm", operation)?.maxMemoryUsedMb),
        ),
      ),
      isPublished
        ? numberColumn("Published MB", (row) => number(row.published?.maxMemoryUsedMb, 0))
        : undefined,
    ],
    rows,
  );
}
