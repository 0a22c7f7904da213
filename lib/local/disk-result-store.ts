import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { listPlain, openPlain, readPlain } from "../files/plain-file.ts";
import { replaceFile, unfinishedSuffix } from "../files/replace-file.ts";
import type { ResultStore } from "../protocol/result-store.ts";

/** A run's results in a folder. Whole files are replaced at once, so that none is ever half written. */
export class DiskResultStore implements ResultStore {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  async writeText(path: string, text: string): Promise<void> {
    await replaceFile(this.directory, path, text);
  }

  async readText(path: string): Promise<string | undefined> {
    return (await readPlain(this.directory, path))?.toString("utf8");
  }

  async list(folder: string): Promise<readonly string[]> {
    const paths = await listPlain(this.directory, folder);
    return paths.filter((path) => !path.endsWith(unfinishedSuffix));
  }

  async *readLines(path: string): AsyncGenerator<string> {
    const file = await openPlain(this.directory, path);
    if (file === undefined) throw new Error(`${join(this.directory, path)} is gone`);
    const input = file.createReadStream({ encoding: "utf8" });
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
      yield line;
  }

  async sha256(path: string): Promise<string | undefined> {
    const bytes = await readPlain(this.directory, path);
    return bytes && createHash("sha256").update(bytes).digest("hex");
  }

  /** Removes a file; nothing happens when there is none of that name. */
  async remove(path: string): Promise<void> {
    await rm(join(this.directory, path), { force: true });
  }
}
