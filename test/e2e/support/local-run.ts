import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Manifest, Sample } from "../../../lib/contract/types/contract.ts";
import { contractProblem, validated } from "../../../lib/contract/validate.ts";
import { DiskResultStore } from "../../../lib/local/disk-result-store.ts";
import { markedBy, measuredProcesses } from "../../support/marked-processes.ts";
import { samplesIn as readSamples } from "../../support/recorded-samples.ts";
import { startKelvin } from "./kelvin-process.ts";

// A run on this machine by its command, and what it leaves.

const mark = process.pid;

/** Words before a command that mark its processes as this test's. */
export const marks = markedBy(mark);

/** Starts `kelvin local`, or another of its commands, its processes marked as this test's. */
export function start(args: readonly string[], subcommand = "local") {
  return startKelvin([subcommand, ...args], {}, marks);
}

/** The processes of this test's runs that are still there. */
export const leftovers = () => measuredProcesses(mark);

export const samplesIn = (directory: string) => readSamples(new DiskResultStore(directory));

export const json = (directory: string, name: string) =>
  JSON.parse(readFileSync(join(directory, name), "utf8"));

export const manifestIn = (directory: string): Manifest =>
  validated("manifest", json(directory, "manifest.json"));

/** A run that ended well. */
export interface FinishedRun {
  readonly manifest: Manifest;
  readonly samples: readonly Sample[];
  readonly stderr: string;
}

/** Runs an experiment to its end. */
export async function runExperiment(
  experiment: string,
  choice: readonly string[],
  out: string,
): Promise<FinishedRun> {
  const { code, stderr } = await start(["--experiment", experiment, ...choice, "--out", out]).ended;
  expect(code, stderr).toBe(0);
  return { manifest: manifestIn(out), samples: await samplesIn(out), stderr };
}

/** Expects no failure, no rejected call but those of the warm-up, and samples that keep their contract. */
export function expectSound({ manifest, samples }: FinishedRun): void {
  expect(manifest).toMatchObject({ status: "complete", cellFailures: [] });
  const { "warm-up": _, ...rejected } = manifest.counts.rejected;
  expect(rejected).toEqual({});
  for (const sample of samples) expect(contractProblem("sample", sample)).toBeUndefined();
}
