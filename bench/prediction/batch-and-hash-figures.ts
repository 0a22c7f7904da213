import published from "../../lib/contract/published-2025-12.json" with { type: "json" };
import { meanOf, type Place, type PublishedFigure, ratioOf } from "./local-runs.ts";

type Row = (typeof published.rows)[number];

const experiments = {
  light: { id: "dynamodb-batch", operation: "batch_write_get" },
  "cpu-intensive": { id: "sha256", operation: "sha256_chain" },
} as const;

/**
 * Returns the figures of a public benchmark whose two workloads are the experiments dynamodb-batch and sha256. It
 * measured both architectures, so a local mean corresponds to two figures.
 */
export function batchAndHashFigures(): readonly PublishedFigure[] {
  return published.rows.flatMap((row) => [
    ...durations(row),
    ...memoryRatio(row),
    ...variantRatio(row),
    ...init(row),
  ]);
}

function placeOf({ workload, runtime, memoryMb, phase }: Row): Place {
  const { id, operation } = experiments[workload as keyof typeof experiments];
  const variant = runtime === "rust" ? "rust" : "python";
  return { experiment: id, variant, memoryMb, phase: phase as Place["phase"], operation };
}

function nameOf({ architecture, ...row }: Row, what: string): string {
  const { experiment, phase, operation } = placeOf({ architecture, ...row });
  const call = phase === "cold" ? "first" : phase;
  return `${experiment}, ${call} \`${operation}\`, ${what}, ${architecture}`;
}

/** Returns the row of the same workload, architecture and phase with these changes; undefined if it has no mean. */
function findRow(row: Row, changed: Partial<Row>): (Row & { durationMs: number }) | undefined {
  const wanted = { ...row, ...changed };
  const keys = ["workload", "runtime", "architecture", "memoryMb", "phase"] as const;
  const found = published.rows.find((each) => keys.every((key) => each[key] === wanted[key]));
  return found?.durationMs === undefined ? undefined : { ...found, durationMs: found.durationMs };
}

function durations(row: Row): readonly PublishedFigure[] {
  if (row.durationMs === undefined) return [];
  const place = placeOf(row);
  return [
    {
      kind: "milliseconds",
      what: nameOf(row, `${place.variant}, ${row.memoryMb} MB, Duration, ms`),
      observed: row.durationMs,
      ...meanOf(place, "durationMs"),
    },
  ];
}

/** Returns the ratio to the largest size for which the source has a mean. */
function memoryRatio(row: Row): readonly PublishedFigure[] {
  const largest = [2048, 1769].flatMap((memoryMb) => findRow(row, { memoryMb }) ?? [])[0];
  if (row.durationMs === undefined || largest === undefined) return [];
  if (row.memoryMb >= largest.memoryMb) return [];
  const { variant } = placeOf(row);
  return [
    {
      kind: "memory",
      what: nameOf(row, `${variant}, ${row.memoryMb} MB over ${largest.memoryMb} MB`),
      observed: row.durationMs / largest.durationMs,
      ...ratioOf(placeOf(row), placeOf(largest)),
    },
  ];
}

/** The source's hash uses SHA instructions on arm64 only; a local x86_64 build uses them if the CPU has them. */
function variantRatio(row: Row): readonly PublishedFigure[] {
  const rust = findRow(row, { runtime: "rust" });
  if (row.runtime === "rust" || row.durationMs === undefined || rust === undefined) return [];
  const hasOtherInstructions = row.workload === "cpu-intensive" && row.architecture === "x86_64";
  return [
    {
      kind: hasOtherInstructions ? "instructions" : "variants",
      what: nameOf(row, `python over rust, ${row.memoryMb} MB, Duration`),
      observed: row.durationMs / rust.durationMs,
      ...ratioOf(placeOf(row), placeOf(rust)),
    },
  ];
}

/** Returns Init Duration at one size only: it hardly differs between sizes. */
function init(row: Row): readonly PublishedFigure[] {
  if (row.initMs === undefined || row.memoryMb !== 1769) return [];
  const place = placeOf(row);
  const { experiment, variant } = place;
  return [
    {
      kind: "init",
      what: `${experiment}, ${variant}, Init, 1769 MB, ms, ${row.architecture}`,
      observed: row.initMs,
      ...meanOf(place, "initDurationMs"),
    },
  ];
}
