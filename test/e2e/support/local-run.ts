import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Sample } from "../../../lib/contract/types/contract.ts";
import { DiskResultStore } from "../../../lib/local/disk-result-store.ts";
import { storedSamples } from "../../../lib/sampler/result-store.ts";
import { markedBy, measuredProcesses } from "../../support/marked-processes.ts";
import { startKelvin } from "./kelvin-process.ts";

// A run on this machine by its command, and what it leaves.

const mark = process.pid;

/** Starts `kelvin local`, or another of its commands, its processes marked as this test's. */
export function start(args: readonly string[], subcommand = "local") {
  return startKelvin([subcommand, ...args], {}, markedBy(mark));
}

/** The processes of this test's runs that are still there. */
export const leftovers = () => measuredProcesses(mark);

export async function samplesIn(directory: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  for await (const sample of storedSamples(new DiskResultStore(directory))) samples.push(sample);
  return samples;
}

export const json = (directory: string, name: string) =>
  JSON.parse(readFileSync(join(directory, name), "utf8"));
