import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { validated } from "../../lib/contract/validate.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { exitCodes } from "../exit-codes.ts";
import { printReport } from "./print-report.ts";
import { readPrices } from "./read-prices.ts";
import { writeReport } from "./write-report.ts";

export interface ReportWords {
  readonly prices?: string;
  readonly json?: true;
}

/** `kelvin report`: renders a run's report again from its samples; returns the exit code. */
export async function report(folder: string, words: ReportWords): Promise<number> {
  const directory = resolve(folder);
  const prices = readPrices(words.prices);
  const plan = validated("plan", fileOf(directory, folder, "plan.json"));
  const { counts: _, ...manifest } = validated(
    "manifest",
    fileOf(directory, folder, "manifest.json"),
  );
  const status = manifest.status === "running" ? "partial" : manifest.status;
  const store = new DiskResultStore(directory);
  const rendered = await writeReport(store, plan, { ...manifest, status }, prices);
  printReport(rendered, folder, words.json === true);
  return rendered.manifest.status === "complete" ? exitCodes.complete : exitCodes.partial;
}

function fileOf(directory: string, folder: string, name: string): unknown {
  const path = join(directory, name);
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8"));
  throw new InvalidInput("folder", folder, `a run's folder, with its ${name}`);
}
