import type { Cell } from "../../../contract/types/contract.ts";
import { mean } from "../../../statistics/mean.ts";
import type { Series } from "../../../statistics/series.ts";
import { twinPairAt } from "../../view/cell-pairs.ts";
import { type Compared, ratioOfSeries, withVerdict } from "../../view/compared.ts";
import type { ViewInputs } from "../../view/report-view.ts";
import { cellsOf, orderedCells } from "../../view/series-view.ts";
import { type Bounds, boundsOf } from "./bounds.ts";
import { asItComes, wide, wideWithSmallPool } from "./quantities.ts";

/** What this experiment's report has of its own: `own` in summary.json. */
export interface S3FanoutFigures {
  readonly settings: readonly SettingFigures[];
  readonly gains: readonly GainFigures[];
  readonly factors: readonly FactorFigures[];
}

/** One cell under one setting of the factors, warm. */
export interface SettingFigures {
  readonly cell: Cell;
  readonly operation: string;
  /** As the source gives it; the median is what is compared. */
  readonly meanMs?: number;
  readonly bounds: Bounds;
}

/** What calls at the same time give, the libraries as they come. */
export interface GainFigures {
  readonly cell: Cell;
  /** Over the same language's serial variant at the same size. */
  readonly toSerial: Compared;
  /** Over the next smaller size; absent of the smallest. */
  readonly toSmaller?: Compared & { readonly memoryMb: number };
}

/** One factor changed, the rest as it was: times over times. */
export interface FactorFigures {
  readonly cell: Cell;
  readonly change: "concurrency-and-pool" | "pool-alone";
  readonly compared: Compared;
}

export function s3FanoutFigures(inputs: ViewInputs): S3FanoutFigures {
  const cells = orderedCells(inputs.plan).filter((cell) => cell.twinOf === undefined);
  const concurrent = cells.filter(({ variant }) => !variant.endsWith("-serial"));
  return {
    settings: inputs.plan.warmOperations.flatMap((operation) =>
      cellsOf(inputs.plan, "warm", operation)
        .filter((cell) => cell.twinOf === undefined)
        .map((cell) => settingFigures(inputs, cell, operation)),
    ),
    gains: concurrent.flatMap((cell) => gainOf(inputs, cells, cell)),
    factors: concurrent.flatMap((cell) => factorsOf(inputs, cell)),
  };
}

function durations({ samples }: ViewInputs, cell: Cell, operation: string): Series {
  return samples.series(cell.id, operation, "warm").series("durationMs");
}

function settingFigures(inputs: ViewInputs, cell: Cell, operation: string): SettingFigures {
  const collected = inputs.samples.series(cell.id, operation, "warm");
  const meanMs = mean(collected.values("durationMs"));
  const bounds = boundsOf(inputs.plan, cell, collected);
  return { cell, operation, ...(meanMs !== undefined && { meanMs }), bounds };
}

function gainOf(inputs: ViewInputs, cells: readonly Cell[], cell: Cell): readonly GainFigures[] {
  const serial = cells.find(
    (other) =>
      other.variant === `${languageOf(cell)}-serial` &&
      other.memoryMb === cell.memoryMb &&
      other.architecture === cell.architecture,
  );
  if (serial === undefined) return [];
  const smaller = cells.findLast(
    (other) =>
      other.variant === cell.variant &&
      other.architecture === cell.architecture &&
      other.memoryMb < cell.memoryMb,
  );
  const over = (below: Cell) => compared(inputs, [cell, asItComes], [below, asItComes]);
  return [
    {
      cell,
      toSerial: over(serial),
      ...(smaller !== undefined && {
        toSmaller: { ...over(smaller), memoryMb: smaller.memoryMb },
      }),
    },
  ];
}

const changes = [
  { change: "concurrency-and-pool", to: wide, from: asItComes },
  { change: "pool-alone", to: wideWithSmallPool, from: wide },
] as const;

function factorsOf(inputs: ViewInputs, cell: Cell): readonly FactorFigures[] {
  const makes = (operation: string) =>
    cellsOf(inputs.plan, "warm", operation).some(({ id }) => id === cell.id);
  return changes
    .filter(({ to, from }) => makes(to) && makes(from))
    .map(({ change, to, from }) => {
      return { cell, change, compared: compared(inputs, [cell, to], [cell, from]) };
    });
}

function compared(
  inputs: ViewInputs,
  [above, aboveOperation]: readonly [Cell, string],
  [below, belowOperation]: readonly [Cell, string],
): Compared {
  const { plan } = inputs;
  const pair = ratioOfSeries(
    durations(inputs, above, aboveOperation),
    durations(inputs, below, belowOperation),
    plan.seed,
  );
  return withVerdict(pair, twinRatio(inputs, [above, below]));
}

/** What the same code, deployed twice, differs by at the size of one of the cells. */
function twinRatio(inputs: ViewInputs, cells: readonly Cell[]) {
  const pair = twinPairAt(inputs.plan, cells);
  if (pair === undefined) return undefined;
  const series = (cell: Cell) => durations(inputs, cell, asItComes);
  return ratioOfSeries(series(pair.cell), series(pair.baselineCell), inputs.plan.seed).ratio;
}

export function languageOf({ runtime }: Pick<Cell, "runtime">): "python" | "rust" {
  return runtime.startsWith("python") ? "python" : "rust";
}
