import type { Cell, Plan } from "../contract/types/contract.ts";
import { listOperations, orderedCells, type Phase, phases } from "./series-view.ts";

/** One series' published figures; fields are absent if the source gives none. */
export interface PublishedSeries {
  readonly initDurationMs?: number;
  readonly durationMs?: number;
  readonly sdkCallMs?: number;
  readonly billedDurationMs?: number;
  readonly maxMemoryUsedMb?: number;
  readonly warmupMs?: number;
  /** Durations of single runs, if the source prints those and no mean. */
  readonly durationRunsMs?: readonly number[];
  /** Ratio of the Duration to that of the source's baseline. */
  readonly durationRatio?: number;
  readonly sdkCallRatio?: number;
}

/** The conditions under which the source measured. */
interface PublishedConditions {
  readonly region: string;
  /** Absent if the source measured both. */
  readonly architecture?: string;
  /** Absent if the source measured several sizes. */
  readonly memoryMb?: number;
  readonly [name: string]: string | number | undefined;
}

/** The size of a package, as the source gives it. */
export interface PublishedPackage {
  readonly variant: string;
  readonly packageMb: number;
  readonly remark?: string;
}

/** Figures that a source published for an experiment, as the experiment's report uses them. */
export interface PublishedSource {
  readonly source: string;
  readonly conditions: PublishedConditions;
  /** The variant that published ratios are relative to. */
  readonly baselineVariant: string;
  readonly packages?: readonly PublishedPackage[];
  /** Returns the figures for a cell that meets the source's conditions. */
  seriesOf(cell: Cell, operation: string, phase: Phase): PublishedSeries | undefined;
}

/** A source's figures beside those of a run. No statistic includes them. */
export interface PublishedFigures extends Omit<PublishedSource, "seriesOf"> {
  readonly series: readonly PublishedSeriesOfCell[];
}

interface PublishedSeriesOfCell {
  readonly cellId: string;
  readonly operation: string;
  readonly phase: Phase;
  readonly figures: PublishedSeries;
}

/**
 * Returns the figures of the same variant, memory size, phase and operation. On AWS the architecture must match, too;
 * elsewhere no absolute figure is comparable anyway, and the report says so.
 */
export function publishedFigures(
  plan: Plan,
  { seriesOf, ...source }: PublishedSource,
): PublishedFigures {
  const cells = orderedCells(plan).filter((cell) => isOfConditions(plan, cell, source.conditions));
  const series = phases.flatMap((phase) =>
    listOperations(plan, phase).flatMap((operation) =>
      cells.flatMap((cell): readonly PublishedSeriesOfCell[] => {
        const figures = seriesOf(cell, operation, phase);
        return figures === undefined ? [] : [{ cellId: cell.id, operation, phase, figures }];
      }),
    ),
  );
  return { ...source, series };
}

/** Returns whether the source's figures may be shown beside the cell's. */
export function isOfConditions(
  { target }: Pick<Plan, "target">,
  { architecture, memoryMb }: Cell,
  conditions: PublishedConditions,
): boolean {
  const { architecture: measuredOn = architecture, memoryMb: measuredAt = memoryMb } = conditions;
  return (target !== "aws" || architecture === measuredOn) && memoryMb === measuredAt;
}
