import { cpuCredit } from "../../../contract/cpu-credit.ts";
import type { Cell } from "../../../contract/types/contract.ts";
import { costPerMillionUsd, studyCostPerMillionUsd } from "../../../cost/cost-per-million.ts";
import { lambdaPrice } from "../../../cost/prices.ts";
import { mean } from "../../../statistics/mean.ts";
import type { Series } from "../../../statistics/series.ts";
import type { QuantityName } from "../../collect/quantities.ts";
import { type Compared, ratioOfSeries, withVerdict } from "../../view/compared.ts";
import { type Measure, measureOfSeries } from "../../view/measure.ts";
import type { ViewInputs } from "../../view/report-view.ts";
import { orderedCells } from "../../view/series-view.ts";
import { hashesPerCpuSecond, work } from "./quantities.ts";

/** What this experiment's report has of its own: `own` in summary.json. */
export interface MulticoreFigures {
  readonly sizes: readonly SizeFigures[];
  readonly inits: readonly InitFigures[];
}

/** The workload at one size, warm. */
export interface SizeFigures {
  readonly cell: Cell;
  /** vCPUs that the memory pays for. */
  readonly cpuCredit: number;
  /** As the source gives it; the median is what is compared. */
  readonly meanMs?: number;
  /** The smallest size's Duration over this one's. */
  readonly speedUp: Compared;
  /** The speed-up over what the memory pays for; 1 where every vCPU bought is used. */
  readonly efficiency: Scaled;
  /** By AWS's arithmetic: 1,024 MB a GB, Billed Duration, request fee. Absent without a price. */
  readonly usdPerMillion?: Measure;
  /** By the source's: 1,000 MB a GB, mean Duration, no request fee. */
  readonly studyUsdPerMillion?: number;
  readonly hashesPerCpuSecond: Measure;
  /** Of that, over the baseline variant with one worker: a plain loop over the crate. */
  readonly toPlainLoop?: Compared;
}

export interface Scaled {
  readonly value?: number;
  readonly low?: number;
  readonly high?: number;
}

/** Init of one variant, environments of all sizes together: it runs at burst CPU whatever the memory. */
export interface InitFigures {
  readonly architecture: Cell["architecture"];
  readonly variant: string;
  readonly initDurationMs: Measure;
}

export function multicoreFigures(inputs: ViewInputs): MulticoreFigures {
  const cells = orderedCells(inputs.plan).filter((cell) => cell.twinOf === undefined);
  const variants = [...new Set(cells.map(({ variant }) => variant))];
  const architectures = [...new Set(cells.map(({ architecture }) => architecture))];
  return {
    sizes: cells.map((cell) => sizeFigures(inputs, cells, cell)),
    inits: architectures.flatMap((architecture) =>
      variants.map((variant) => initFigures(inputs, cells, { architecture, variant })),
    ),
  };
}

function warm({ samples }: ViewInputs, cell: Cell, quantity: QuantityName): Series {
  return samples.series(cell.id, work, "warm").series(quantity);
}

function sizeFigures(inputs: ViewInputs, cells: readonly Cell[], cell: Cell): SizeFigures {
  const { plan, samples, prices, manifest, subject } = inputs;
  const isComparable = (other: Cell) => other.architecture === cell.architecture;
  const smallest = cells.find((other) => isComparable(other) && other.variant === cell.variant);
  const plainLoop = cells.find(
    (other) =>
      isComparable(other) && other.variant === subject.baselineVariant && other.workers === 1,
  );
  const ratio = (above: Cell, below: Cell, quantity: QuantityName) =>
    withVerdict(
      ratioOfSeries(warm(inputs, above, quantity), warm(inputs, below, quantity), plan.seed),
    );
  const speedUp = ratio(smallest ?? cell, cell, "durationMs");
  const meanMs = mean(samples.series(cell.id, work, "warm").values("durationMs"));
  const price = lambdaPrice(prices, manifest.prices.region, cell.architecture);
  const rate = measureOfSeries(warm(inputs, cell, hashesPerCpuSecond));
  const isLoop = plainLoop === undefined || plainLoop.id === cell.id || rate.n === 0;
  return {
    cell,
    cpuCredit: cpuCredit(cell.memoryMb),
    ...(meanMs !== undefined && { meanMs }),
    speedUp,
    efficiency: scaled(speedUp, (smallest ?? cell).memoryMb / cell.memoryMb),
    ...(price.kind === "lambda-price" && {
      usdPerMillion: measureOfSeries(costs(inputs, cell)),
      ...(meanMs !== undefined && {
        studyUsdPerMillion: studyCostPerMillionUsd(
          { durationMs: meanMs, memoryMb: cell.memoryMb },
          price,
        ),
      }),
    }),
    hashesPerCpuSecond: rate,
    ...(!isLoop && { toPlainLoop: ratio(cell, plainLoop, hashesPerCpuSecond) }),
  };
}

/** USD a million of each call; none without a price. */
function costs(inputs: ViewInputs, cell: Cell): Series {
  const { prices, manifest } = inputs;
  const price = lambdaPrice(prices, manifest.prices.region, cell.architecture);
  if (price.kind === "price-absent") return { units: [] };
  const { memoryMb } = cell;
  return mapped(warm(inputs, cell, "billedDurationMs"), (warmBilledMs) =>
    costPerMillionUsd({ coldBilledMs: 0, warmBilledMs, memoryMb }, 0, price),
  );
}

function initFigures(
  { plan, samples }: ViewInputs,
  cells: readonly Cell[],
  { architecture, variant }: Pick<InitFigures, "architecture" | "variant">,
): InitFigures {
  const units = cells
    .filter((cell) => cell.architecture === architecture && cell.variant === variant)
    .flatMap((cell) => samples.series(cell.id, plan.coldOperation, "cold"))
    .flatMap((collected) => collected.series("initDurationMs").units);
  return { architecture, variant, initDurationMs: measureOfSeries({ units }) };
}

function scaled({ ratio, low, high }: Compared, by: number): Scaled {
  if (ratio === undefined || low === undefined || high === undefined) return {};
  return { value: ratio * by, low: low * by, high: high * by };
}

function mapped({ units }: Series, of: (value: number) => number): Series {
  return { units: units.map((unit) => ({ ...unit, values: unit.values.map(of) })) };
}
