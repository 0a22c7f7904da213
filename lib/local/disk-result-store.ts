import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { ResultStore } from "../protocol/result-store.ts";

/** A run's results in a folder. Whole files are replaced at once, so that none is ever half written. */
export class DiskResultStore implements ResultStore {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  async writeText(path: string, text: string): Promise<void> {
    const target = join(this.directory, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(`${target}.part`, text);
    await rename(`${target}.part`, target);
  }

  async readText(path: string): Promise<string | undefined> {
    return await readFile(join(this.directory, path), "utf8").catch(absentIfMissing);
  }

  async list(folder: string): Promise<readonly string[]> {
    const directory = join(this.directory, folder);
    const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
      absentIfMissing,
    );
    return (entries ?? [])
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".part"))
      .map((entry) => join(folder, entry.parentPath.slice(directory.length), entry.name))
      .sort();
  }

  async *readLines(path: string): AsyncGenerator<string> {
    const input = createReadStream(join(this.directory, path), "utf8");
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
      yield line;
  }

  async sha256(path: string): Promise<string | undefined> {
    const bytes = await readFile(join(this.directory, path)).catch(absentIfMissing);
    return bytes && createHash("sha256").update(bytes).digest("hex");
  }

  /** Removes a file; nothing happens when there is none of that name. */
  async remove(path: string): Promise<void> {
    await rm(join(this.directory, path), { force: true });
  }
}

function absentIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
