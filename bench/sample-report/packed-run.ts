import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { checksumsPath } from "../../lib/sampler/checksums.ts";
import { samplesPath } from "../../lib/sampler/result-store.ts";

/** Every sample of the run, one per line, in the order of its files. */
const packedSamples = "samples.jsonl.gz";
const wholeFiles = ["plan.json", "manifest.json", checksumsPath];

/** Copies a run to a folder, with its hundreds of sample files in one compressed file. */
export async function packRun(runFolder: string, packedFolder: string): Promise<void> {
  const run = new DiskResultStore(runFolder);
  mkdirSync(packedFolder, { recursive: true });
  for (const name of wholeFiles) {
    writeFileSync(join(packedFolder, name), readFileSync(join(runFolder, name)));
  }
  const texts = (await run.list("samples")).map((path) => readFileSync(join(runFolder, path)));
  writeFileSync(join(packedFolder, packedSamples), gzipSync(Buffer.concat(texts), { level: 9 }));
}

/** Restores the run's files as they were before packing; their checksums can prove it. */
export async function unpackRun(packedFolder: string, runFolder: string): Promise<void> {
  const run = new DiskResultStore(runFolder);
  for (const name of wholeFiles) {
    await run.writeText(name, readFileSync(join(packedFolder, name), "utf8"));
  }
  const text = gunzipSync(readFileSync(join(packedFolder, packedSamples))).toString("utf8");
  const texts = new Map<string, string>();
  for (const line of text.split("\n").slice(0, -1)) {
    const path = samplesPath(JSON.parse(line) as Sample);
    texts.set(path, `${texts.get(path) ?? ""}${line}\n`);
  }
  for (const [path, lines] of texts) await run.writeText(path, lines);
}
