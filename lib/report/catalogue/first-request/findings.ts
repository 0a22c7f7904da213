import type { Cell } from "../../../contract/types/contract.ts";
import type { Comparison } from "../../view/comparisons.ts";
import type { Measure } from "../../view/measure.ts";
import type { ReportView } from "../../view/report-view.ts";
import { comparisonOf, sizesOf } from "../../view/select.ts";
import type { FirstRequestFigures, Handshake } from "./figures.ts";
import { noJitter, ring } from "./variants.ts";

/**
 * What the evidence of one size supports. Each is a claim on most, more than half, of a time, and
 * is made only where the whole interval lies on that side of the half.
 *
 * - entropy: the first handshake is mostly one-time, and without CPU-jitter entropy most of the
 *   first request is gone;
 * - provider: the same with another crypto library, while leaving the entropy out does not show it;
 * - entropy-alone, provider-alone: the builds show it, of the handshakes nothing can be told;
 * - contradiction: a build shows it, and yet the second handshake takes more than half of the first;
 * - elsewhere: the first TLS handshake takes less than half of what the baseline's request takes;
 * - one-time-other: the handshake is mostly one-time, and no change of crypto shortens the request;
 * - one-time: the handshake is mostly one-time, and what of it is crypto's is not decided;
 * - handshake: most of the first handshake comes again in the second;
 * - undecided: none of these.
 */
export type Conclusion =
  | "entropy"
  | "provider"
  | "entropy-alone"
  | "provider-alone"
  | "contradiction"
  | "elsewhere"
  | "one-time-other"
  | "one-time"
  | "handshake"
  | "undecided";

/** One size of the run: memory, architecture, workers. */
export interface Finding {
  readonly cell: Cell;
  readonly conclusion: Conclusion;
}

export function findingsOf(view: ReportView, figures: FirstRequestFigures): readonly Finding[] {
  return sizesOf(view).flatMap((cells) => {
    const ids = new Set(cells.map((cell) => cell.id));
    const firstOf = (variant: string) => {
      const cell = cells.find((candidate) => candidate.variant === variant);
      const series = cell && { cell, phase: "cold" as const, operation: view.plan.coldOperation };
      return series && comparisonOf(view, series, "durationMs");
    };
    const evidence: Evidence = {
      handshake: figures.handshakes.find((candidate) => ids.has(candidate.cell.id)),
      noJitter: firstOf(noJitter),
      ring: firstOf(ring),
    };
    const [cell] = cells;
    return cell === undefined ? [] : [{ cell, conclusion: conclude(evidence) }];
  });
}

interface Evidence {
  readonly handshake: Handshake | undefined;
  /** Of the first request's Duration, against the baseline. */
  readonly noJitter: Comparison | undefined;
  readonly ring: Comparison | undefined;
}

function conclude({ handshake, noJitter, ring }: Evidence): Conclusion {
  const repeats = handshake === undefined ? "unknown" : repetitionOf(handshake);
  const isEntropy = removesMost(noJitter);
  if (isEntropy || removesMost(ring)) {
    if (repeats === "mostly") return "contradiction";
    if (repeats === "hardly") return isEntropy ? "entropy" : "provider";
    return isEntropy ? "entropy-alone" : "provider-alone";
  }
  if (isBelowHalf(handshake?.firstToRequest)) return "elsewhere";
  if (repeats === "mostly") return "handshake";
  if (repeats === "unknown") return "undecided";
  const known = [noJitter, ring].filter((comparison) => comparison !== undefined);
  return known.length > 0 && known.every(removesNothing) ? "one-time-other" : "one-time";
}

/** Whether the second handshake of a process takes more than half of the first one's time. */
function repetitionOf({ firstToSecond: { low, high } }: Handshake) {
  if (low !== undefined && low > 2) return "hardly";
  return high !== undefined && high < 2 ? "mostly" : "unknown";
}

function removesMost(comparison: Comparison | undefined): boolean {
  return comparison?.verdict === "faster" && isBelowHalf(comparison);
}

function removesNothing({ verdict }: Comparison): boolean {
  return verdict === "equivalent" || verdict === "slower";
}

function isBelowHalf(interval: Pick<Measure, "high"> | undefined): boolean {
  return interval?.high !== undefined && interval.high < 0.5;
}
