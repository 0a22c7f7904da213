import type { Cell, CellFailure, Plan, Sample } from "../contract/types/contract.ts";
import type {
  CellCounts,
  ErrorGroup,
  QualityCounts,
  RejectedSample,
  Throttling,
} from "./quality-counts.ts";
import { orderedCells } from "./series-view.ts";
import { plannedByCell } from "./sound-trials.ts";

/** Numbers of samples with a label, by phase. */
export interface LabelCount {
  readonly label: string;
  readonly cold: number;
  readonly second: number;
  readonly warm: number;
}

export interface CellCoverage {
  readonly cell: Cell;
  readonly planned: number;
  readonly recorded: number;
  readonly kept: number;
  /** Calls that were wrong, failed or did not report; absent if there are none. */
  readonly lost?: number;
  /** Absent if no sample of the cell was recorded. */
  readonly byPhase?: CellCounts["byPhase"];
  /** Trials that could not be started or finished. */
  readonly failures: number;
  /** Throttling while its environments were forced cold, if that was counted. */
  readonly forcedCold?: Throttling;
}

/** Numbers of cold samples by the proof that they are cold. Each has an Init in its REPORT. */
interface ColdProof {
  /** Samples that were also the first call in a log stream of their own. */
  readonly logStream: number;
  /** Samples with no other proof, since the log stream is not known. */
  readonly initAlone: number;
  /** Reasons why the log stream is not known, the most frequent first. Samples without a reason are left out. */
  readonly reasons: readonly { readonly reason: string; readonly samples: number }[];
}

export interface QualityView {
  readonly cells: readonly CellCoverage[];
  readonly rejected: readonly LabelCount[];
  /** The first rejected samples of each reason. */
  readonly rejectedSamples: readonly RejectedSample[];
  readonly flags: readonly LabelCount[];
  /** Cold samples that report the end of Init, and those of them initialised early. Absent if none reports it. */
  readonly initialisedEarly?: { readonly early: number; readonly reported: number };
  /** Proofs of the kept cold samples of users' functions on AWS; absent for all other runs. */
  readonly coldProof?: ColdProof;
  readonly errors: readonly ErrorGroup[];
  /** Number of errors beyond those listed. */
  readonly errorsBeyondListed: number;
  readonly cellFailures: readonly CellFailure[];
  readonly warnings: readonly string[];
}

export function qualityView(
  plan: Plan,
  manifest: {
    readonly cellFailures: readonly CellFailure[];
    readonly warnings: readonly string[];
  },
  quality: QualityCounts,
): QualityView {
  const planned = plannedByCell(plan);
  return {
    cells: orderedCells(plan).map((cell) => ({
      cell,
      planned: planned.get(cell.id) ?? 0,
      recorded: 0,
      kept: 0,
      ...quality.byCell.get(cell.id),
      failures: manifest.cellFailures.filter((failure) => failure.cellId === cell.id).length,
    })),
    rejected: labelCounts(quality.rejected),
    rejectedSamples: quality.rejectedSamples.list(),
    flags: labelCounts(quality.flags),
    ...(quality.initialisedEarly.reported > 0 && {
      initialisedEarly: { ...quality.initialisedEarly },
    }),
    ...coldProof(plan, quality),
    errors: [...quality.errors.values()].map((group) => ({ ...group })),
    errorsBeyondListed: quality.errorsBeyondGroups,
    cellFailures: manifest.cellFailures,
    warnings: [...new Set([...plan.warnings, ...manifest.warnings])],
  };
}

function coldProof(
  { target, ownResults }: Plan,
  { coldEnvironments: { known, unknown, reasons } }: QualityCounts,
): Pick<QualityView, "coldProof"> {
  if (target !== "aws" || !ownResults || known + unknown === 0) return {};
  const byCount = [...reasons].sort(([, a], [, b]) => b - a);
  return {
    coldProof: {
      logStream: known,
      initAlone: unknown,
      reasons: byCount.map(([reason, samples]) => ({ reason, samples })),
    },
  };
}

function labelCounts(
  counts: ReadonlyMap<string, Readonly<Record<Sample["phase"], number>>>,
): readonly LabelCount[] {
  return [...counts]
    .map(([label, phases]) => ({ label, ...phases }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));
}
