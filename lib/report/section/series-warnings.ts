import type { ReportView } from "../../analysis/report-view.ts";
import type { SeriesView } from "../../analysis/series-view.ts";
import { groupBy } from "../../contract/group-by.ts";
import type { Warning } from "../../statistics/warnings.ts";
import {
  type Block,
  code,
  details,
  makeTable,
  numberColumn,
  proseColumn,
  rowHeader,
} from "../document/document.ts";
import { count, number, percent } from "../document/format.ts";
import { limited } from "./columns.ts";

interface Row {
  readonly series: SeriesView;
  readonly warning: Shown;
}

/** The warnings to list. Every table already shows if there are too few environments. */
type Shown = Exclude<Warning, { readonly kind: "too-few-environments" }>;

interface Reason {
  readonly rows: readonly [Row, ...Row[]];
  /** The number of series that could have the warning. */
  readonly measured: number;
}

/** If more than this share of series have a warning, they are not listed one by one. */
const mostListed = 0.25;

/** Lists the series whose Durations need care in reading, grouped by reason. */
export function seriesWarnings(view: ReportView): readonly Block[] {
  const measured = view.series.filter(({ n }) => n > 0);
  const rows = measured.flatMap((series) =>
    series.durationWarnings.flatMap((warning): readonly Row[] =>
      warning.kind === "too-few-environments" ? [] : [{ series, warning }],
    ),
  );
  if (rows.length === 0) return [];
  const reasons = listReasons(rows, measured.length);
  const listed = reasons
    .filter(({ rows: those, measured: all }) => those.length <= mostListed * all)
    .flatMap(({ rows: those }) => those);
  return [
    reasonTable(reasons),
    ...(listed.length === 0
      ? []
      : [details(`Series to read with care (${count(listed.length)})`, listBlocks(listed))]),
  ];
}

/** Groups rows by reason, the worst first. */
function listReasons(rows: readonly Row[], measured: number): readonly Reason[] {
  const byKind = groupBy(rows, ({ warning }) => warning.kind);
  return [...byKind.values()].flatMap((those) => {
    const [worst, ...others] = those.toSorted((a, b) => severity(b.warning) - severity(a.warning));
    return worst === undefined ? [] : [{ rows: [worst, ...others], measured }];
  });
}

function reasonTable(reasons: readonly Reason[]): Block {
  return makeTable<Reason>(
    {
      id: "series-warning-reasons",
      caption:
        "Observations on the Durations of series. No sample was left out because of them. If more than a quarter of the series share an observation, they are not listed individually.",
    },
    [
      rowHeader(
        "Observation",
        ({ rows: [{ warning }] }) => observationNames[warning.kind],
        "prose",
      ),
      numberColumn("Series", ({ rows, measured }) => `${count(rows.length)} of ${count(measured)}`),
      proseColumn("Most", ({ rows: [{ series, warning }] }) => [
        `${series.cell.id}, ${series.phase} `,
        code(series.operation),
        `: ${warningText(warning)}`,
      ]),
    ],
    reasons,
  );
}

function listBlocks(rows: readonly Row[]): readonly Block[] {
  return limited(rows, (shown) =>
    makeTable<Row>(
      {
        id: "series-warnings",
        caption: "Series with an observation that at most a quarter of all series share.",
      },
      [
        rowHeader("Cell", ({ series }) => series.cell.id),
        rowHeader("Phase", ({ series }) => series.phase),
        rowHeader("Operation", ({ series }) => [code(series.operation)]),
        proseColumn("Observation", ({ warning }) => warningText(warning)),
      ],
      shown,
    ),
  );
}

const observationNames: Readonly<Record<Shown["kind"], string>> = {
  drift: "the times drift",
  autocorrelated: "neighbouring blocks are correlated: the interval may be too narrow",
  "counts-periods":
    "the times are multiples of the CPU quota's period: nothing finer can be resolved",
  "wide-interval": "the interval is wide",
  "far-outliers": "outlying environments",
  "long-calls": "the mean rests on a few long calls: its interval may be too narrow",
};

/** Returns the severity of a warning. Higher is worse; only warnings of one kind are comparable. */
function severity(warning: Shown): number {
  switch (warning.kind) {
    case "drift":
      return Math.abs(Math.log(warning.laterToEarlier));
    case "autocorrelated":
      return warning.lag1;
    case "counts-periods":
      return warning.share;
    case "wide-interval":
      return warning.relativeWidth;
    case "far-outliers":
      return warning.count / warning.n;
    case "long-calls":
      return warning.timeShare;
  }
}

function warningText(warning: Shown): string {
  switch (warning.kind) {
    case "drift":
      return `drift: the later blocks take ${number(warning.laterToEarlier, 2)} times as long as the earlier ones (p = ${warning.pValue.toFixed(4)})`;
    case "autocorrelated":
      return `neighbouring blocks are correlated (lag-1 correlation ${number(warning.lag1, 2)}, p = ${warning.pValue.toFixed(4)})`;
    case "counts-periods":
      return `${percent(warning.share)} of the environments lie near a multiple of ${warning.periodMs} ms: a smaller difference cannot be resolved, and no verdict rests on one`;
    case "wide-interval":
      return `wide: the interval spans ${percent(warning.relativeWidth)} of the mean`;
    case "far-outliers":
      return `${count(warning.count)} of ${count(warning.n)} environments are outliers; they stay in the statistics`;
    case "long-calls":
      return `${count(warning.count)} of ${count(warning.n)} calls are far longer than the others and add ${percent(warning.timeShare)} of the time; another run may see more of them, or fewer`;
  }
}
