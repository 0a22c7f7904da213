import type { ReportView } from "../../analysis/report-view.ts";
import published from "../../contract/published.json" with { type: "json" };
import type { Cell } from "../../contract/types/contract.ts";
import { cellColumns } from "../../report/document/cell-labels.ts";
import {
  code,
  makeTable,
  numberColumn,
  rowHeader,
  type Table,
  textColumn,
  verdictColumn,
} from "../../report/document/document.ts";
import {
  measureText,
  medianText,
  megabytesText,
  missing,
  number,
  ratioText,
  sizeText,
  verdictText,
} from "../../report/document/format.ts";
import { publishedConditions } from "../../report/section/columns.ts";
import {
  asItComes,
  type FactorFigures,
  type GainFigures,
  type SettingRow,
  wide,
  wideWithSmallPool,
} from "./figures.ts";

export const durationTableId = "s3-fanout-duration";

export function durationTable(view: ReportView, rows: readonly SettingRow[]): Table {
  const isPublished = rows.some(({ cell }) => publishedMeanMs(cell, asItComes) !== undefined);
  const published = isPublished ? publishedConditions(view, "means", publishedPlace) : "";
  return makeTable<SettingRow>(
    {
      id: durationTableId,
      caption: `Warm Duration of the fan-out over 100 objects, ms, with the libraries' defaults: mean and median [95% CI] over environments. Under way: average number of concurrent calls, their summed times over the whole by the function's own clock.${published}`,
    },
    [
      ...cellColumns<SettingRow>(view, ({ cell }) => cell),
      numberColumn("n", ({ series }) => sizeText(series.durationMs)),
      numberColumn("Mean ms", ({ series }) => measureText(series.durationMs)),
      numberColumn("Median ms", ({ series }) => medianText(series.durationMs)),
      isPublished
        ? numberColumn("Published mean ms", ({ cell, operation }) =>
            number(publishedMeanMs(cell, operation)),
          )
        : undefined,
      ...settingColumns,
    ],
    rows,
  );
}

const settingColumns = [
  numberColumn<SettingRow>("Concurrency", ({ series }) =>
    megabytesText(alike(series.own?.concurrency)),
  ),
  numberColumn<SettingRow>("Pool", ({ series }) => megabytesText(alike(series.own?.poolSize))),
  numberColumn<SettingRow>("Under way", ({ series }) => number(series.own?.callsUnderWay?.mean)),
];

/** Drops the interval of a setting that is the same in every environment. */
function alike(measure: SettingRow["series"]["durationMs"] | undefined) {
  if (measure?.mean === undefined) return undefined;
  const { n, environments, mean } = measure;
  return { n, environments, mean };
}

const gainTableId = "s3-fanout-gain";

/** Returns the id of a row in the table of gains; the index starts at 0. */
export function gainRowId(index: number): string {
  return `${gainTableId}-row-${index + 1}`;
}

export function gainTable(view: ReportView, gains: readonly GainFigures[]): Table {
  return makeTable<GainFigures>(
    {
      id: gainTableId,
      rowId: (gain) => gainRowId(gains.indexOf(gain)),
      caption:
        "What concurrent calls gain: ratio of means [95% CI] over the same language making one call after another, at the same size (0.2: a fifth of the time); and over the next smaller size, which shows where more memory stops paying.",
    },
    [
      ...cellColumns<GainFigures>(view, ({ cell }) => cell),
      numberColumn("Over one after the other", ({ toSerial }) => ratioText(toSerial)),
      verdictColumn("Parallel", ({ toSerial }) => verdictText(toSerial)),
      numberColumn("Over the smaller size", ({ toSmaller }) =>
        toSmaller === undefined ? "1 (smallest)" : ratioText(toSmaller),
      ),
      verdictColumn("More memory", ({ toSmaller }) => verdictText(toSmaller)),
    ],
    gains,
  );
}

const changePhrases = {
  "concurrency-and-pool": [wide, asItComes],
  "pool-alone": [wideWithSmallPool, wide],
} as const;

export function factorTable(view: ReportView, factors: readonly FactorFigures[]): Table {
  return makeTable<FactorFigures>(
    {
      id: "s3-fanout-factors",
      caption:
        "Concurrency and pool size: ratio of mean Durations [95% CI]. fanout-50 makes 50 calls at a time over 50 connections; fanout uses the library's defaults; fanout-50-pool-10 has 50 threads behind boto3's default 10 connections and is otherwise like fanout-50. In every environment, a discarded call opens the connections of fanout-50 first.",
    },
    [
      ...cellColumns<FactorFigures>(view, ({ cell }) => cell),
      rowHeader("Changed", ({ change }) => {
        const [to, from] = changePhrases[change];
        return [code(to), " over ", code(from)];
      }),
      numberColumn("Ratio", ({ compared }) => ratioText(compared)),
      verdictColumn("Verdict", ({ compared }) => verdictText(compared)),
    ],
    factors,
  );
}

/** Tabulates each setting's time with its lower bounds. */
export function boundTable(view: ReportView, rows: readonly SettingRow[]): Table {
  const { network } = view.plan;
  const delay = network === undefined ? "" : ` of ${network.delayMs} ms`;
  return makeTable<SettingRow>(
    {
      id: "s3-fanout-bounds",
      caption: `What bounds the fan-out, ms. Waiting: the ideal, ceil(100 / calls at once) rounds${delay}, without the listing before them, which is one more round. Processor: the invocation's CPU time at the size's share of a CPU (Python uses at most one CPU). A Duration near the first is spent waiting, one near the second computing; the ratio is over the larger.`,
    },
    [
      rowHeader("Operation", ({ operation }) => [code(operation)]),
      ...cellColumns<SettingRow>(view, ({ cell }) => cell),
      numberColumn("Calls at once", ({ bounds }) => number(bounds.atOnce, 0)),
      numberColumn("Waiting ms", ({ bounds }) => number(bounds.waitingMs, 0)),
      numberColumn("CPU time ms", ({ bounds }) => number(bounds.cpuMs)),
      numberColumn("Processor ms", ({ bounds }) => number(bounds.processorMs)),
      numberColumn("Mean ms", ({ series }) => number(series.durationMs.mean)),
      numberColumn("Over waiting", (row) => number(overWaiting(row), 2)),
      numberColumn("Over the larger", (row) => number(overLarger(row), 2)),
      textColumn("Bound by", (row) => boundBy(row) ?? missing),
    ],
    rows,
  );
}

export function overWaiting({ series, bounds }: SettingRow): number | undefined {
  return over(series.durationMs.mean, bounds.waitingMs);
}

function overLarger({ series, bounds }: SettingRow): number | undefined {
  const { waitingMs, processorMs } = bounds;
  const known = [waitingMs, processorMs].filter((bound) => bound !== undefined);
  return known.length < 2 ? undefined : over(series.durationMs.mean, Math.max(...known));
}

function over(value: number | undefined, bound: number | undefined): number | undefined {
  return value === undefined || bound === undefined || bound === 0 ? undefined : value / bound;
}

/** Returns the larger of the two bounds; undefined if one is not known. */
export function boundBy({ bounds }: SettingRow): "waiting" | "processor" | undefined {
  const { waitingMs, processorMs } = bounds;
  if (waitingMs === undefined || processorMs === undefined) return undefined;
  return waitingMs >= processorMs ? "waiting" : "processor";
}

const { s3Fanout } = published;

/** The source's names of the variants; it measured only Python. */
const columns = {
  "python-serial": "serialBoto3",
  "python-executor": "executorBoto3",
  "python-aioboto3": "aioboto3",
} as const;

/** Describes what the source measured, for a caption. */
export const publishedPlace = `AWS Lambda, ${s3Fanout.conditions.runtime}, ${s3Fanout.conditions.objects} objects, mean of ${s3Fanout.conditions.samples}, region not given`;

/** Returns the published mean Duration, ms, with the libraries' defaults. */
export function publishedMeanMs(
  { variant, memoryMb }: Pick<Cell, "variant" | "memoryMb">,
  operation: string,
): number | undefined {
  if (operation !== asItComes || !Object.hasOwn(columns, variant)) return undefined;
  const row = s3Fanout.meanDurationMs.find((known) => known.memoryMb === memoryMb);
  return row?.[columns[variant as keyof typeof columns]];
}
