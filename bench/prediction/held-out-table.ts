import { groupBy } from "../../lib/contract/group-by.ts";
import type { ClaimKind } from "../../lib/prediction/claims.ts";
import { leaveOut } from "../../lib/prediction/claims.ts";
import { fitConstants, type Observation } from "../../lib/prediction/fit.ts";
import {
  errorFactor,
  isHeld,
  rangeHeldOut,
  scoreClaims,
  scoreDirections,
} from "../../lib/prediction/held-out.ts";
import type { Constants } from "../../lib/prediction/model.ts";
import { rangeAround, type Spread } from "../../lib/prediction/spread.ts";
import { renderCsv } from "../../lib/report/render/csv.ts";
import { median } from "../../lib/statistics/order-statistics.ts";
import { figure, row } from "./page-table.ts";

type RangedClaims = ReturnType<typeof rangeHeldOut>;
type RangedClaim = RangedClaims[number];

const quantities: Readonly<Record<ClaimKind["quantity"], string>> = {
  init: "Init",
  first: "first Duration",
  cold: "Init and first Duration",
  warm: "warm Duration",
};

const works: Readonly<Record<ClaimKind["work"], string>> = {
  service: "requests to DynamoDB",
  "fan-out": "100 requests to S3",
  compute: "computing",
};

/** `128 MB` is separate from the sizes above it: its small CPU share affects every call. */
function sizeOf({ memoryMb }: RangedClaim): string {
  return memoryMb === 128 ? "128 MB" : "256 MB and more";
}

/** Returns the marked sections of docs/prediction.md about the model, by name. */
export function heldOutTables(
  observations: readonly Observation[],
  spread: Spread,
): Readonly<Record<"constants" | "held-out" | "directions", readonly string[]>> {
  const all = rangeHeldOut(observations);
  return {
    constants: constantsTable(observations),
    "held-out": scoresTable(all, spread),
    directions: directionLines(all.filter(isPooled)),
  };
}

/** Pooled scores cover only held-out claims about the same work as in the local run. */
function isPooled({ isApart, isHeldOut }: RangedClaim): boolean {
  return isHeldOut && !isApart;
}

function scoresTable(all: RangedClaims, spread: Spread): readonly string[] {
  const name = (claim: RangedClaim) => {
    const { kind, isApart, isHeldOut } = claim;
    const label = `${quantities[kind.quantity]}, ${kind.form}: ${works[kind.work]}`;
    const apart = isApart ? ", other instructions (apart)" : "";
    return `${label}${apart}${isHeldOut ? "" : " (as fitted: one source)"} | ${sizeOf(claim)}`;
  };
  const own = [...groupBy(all, name)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const pooled = all.filter(isPooled);
  const bySize = [...groupBy(pooled, sizeOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const bySource = [...groupBy(pooled, ({ source }) => source)];
  const rows = [
    ...own,
    ...bySource.map(([source, claims]) => [`all of ${source} | every size`, claims] as const),
    ...bySize.map(
      ([size, claims]) => [`all that is held out, none apart | ${size}`, claims] as const,
    ),
    ["all that is held out, none apart | every size", pooled] as const,
  ];
  return [
    row([
      ...["claim", "size", "figures", "sources", "error factor without the model"],
      ...["error factor", "largest", "within the range", "median width", "width in reports"],
    ]),
    row(["---", "---", ...Array(4).fill("---:"), "---", ...Array(3).fill("---:")]),
    ...rows.map(([label, claims]) => scoreRow(label, claims, spread)),
  ];
}

function scoreRow(label: string, claims: RangedClaims, spread: Spread): string {
  const score = scoreClaims(claims);
  const widths = claims.map(({ kind }) => {
    const { low, high } = rangeAround(1, spread.of(kind), 0);
    return high / low;
  });
  const { largest } = score;
  const place = `${largest.what}, ${largest.memoryMb} MB, ${largest.architecture}`;
  return row([
    ...[label, String(score.n), String(score.sources), figure(score.measuredFactor)],
    ...[figure(score.meanFactor), `${figure(errorFactor(largest))} (${place})`],
    ...[`${score.held} of ${score.n}`, figure(score.medianWidth), figure(median(widths))],
  ]);
}

function directionLines(claims: RangedClaims): readonly string[] {
  return [1.5, 1.2].map((factor) => {
    const { n, claimed, wrong, rightSide } = scoreDirections(claims, factor);
    return `- Of ${n} published ratios that differ from 1 by more than ${factor}, the single value lies on the right side in ${rightSide}; the range claims a direction in ${claimed}, ${wrong === 0 ? "none of them wrong" : `${wrong} of them wrong`}.`;
  });
}

interface ConstantRow {
  readonly name: string;
  readonly of: (constants: Constants) => number | undefined;
}

const constantRows: readonly ConstantRow[] = [
  { name: "sandbox and runtime, native, ms", of: ({ sandboxMs }) => sandboxMs },
  { name: "sandbox and runtime, Node.js, ms", of: ({ nodeSandboxMs }) => nodeSandboxMs },
  { name: "Init, Python, factor", of: ({ pythonStartFactor }) => pythonStartFactor },
  { name: "reading a binary, ms a megabyte", of: ({ readMsPerMb }) => readMsPerMb },
  { name: "wait of a first request, ms", of: ({ firstWaitMs }) => firstWaitMs },
  { name: "code that runs for the first time, factor", of: (each) => each.firstCodeFactor },
  { name: "gathering jitter, ms of CPU time", of: ({ jitterMs }) => jitterMs },
  { name: "warm, DynamoDB, native, factor", of: ({ warmFactor }) => warmFactor["service/native"] },
  { name: "warm, DynamoDB, Python, factor", of: ({ warmFactor }) => warmFactor["service/python"] },
  { name: "warm, S3, Python, factor", of: ({ warmFactor }) => warmFactor["fan-out/python"] },
  { name: "computing, factor", of: ({ computeFactor }) => computeFactor },
];

/** Lists each constant as fitted to all sources, and its range when one source at a time is left out. */
function constantsTable(observations: readonly Observation[]): readonly string[] {
  const all = fitConstants(observations);
  const without = leaveOut(observations).map(({ others }) => fitConstants(others));
  return [
    row(["constant", "fitted to all sources", "with a source left out"]),
    row(["---", "---:", "---:"]),
    ...constantRows.flatMap(({ name, of }) => {
      const value = of(all);
      if (value === undefined) return [];
      const others = without.flatMap((each) => of(each) ?? []);
      const [low, high] = [Math.min(...others), Math.max(...others)];
      return [row([name, figure(value), `${figure(low)} to ${figure(high)}`])];
    }),
  ];
}

/** Returns docs/prediction-claims.csv: every claim with its held-out prediction and range. */
export function claimsCsv(observations: readonly Observation[]): string {
  const header = [
    ...["source", "claim", "quantity", "form", "memory_mb", "architecture", "published"],
    ...[
      "measured_here",
      "predicted",
      "range_low",
      "range_high",
      "within_range",
      "held_out",
      "apart",
    ],
  ];
  const rows = rangeHeldOut(observations).map((claim) => {
    const { kind, observed, measured, predicted, range } = claim;
    return [
      ...[claim.source, claim.what, kind.quantity, kind.form, claim.memoryMb, claim.architecture],
      ...[observed, measured, predicted, range.low, range.high].map(figure),
      ...[isHeld(claim), claim.isHeldOut, claim.isApart].map(String),
    ];
  });
  return renderCsv(header, rows);
}
