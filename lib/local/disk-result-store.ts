import { rm } from "node:fs/promises";
import { join } from "node:path";
import { InvalidInput } from "../contract/errors.ts";
import { LineSplitter } from "../contract/lines.ts";
import { digestPlain, listPlain, openPlain, readPlain } from "../files/plain-file.ts";
import { replaceFile, unfinishedSuffix } from "../files/replace-file.ts";
import { longestLineCharacters } from "../files/size-limits.ts";
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
    let lines: string[] = [];
    let read = 0;
    const splitter = new LineSplitter(longestLineCharacters, (line) => {
      read += 1;
      if (line === undefined) throw tooLong(path, read);
      lines.push(line);
    });
    for await (const piece of file.createReadStream({ encoding: "utf8" })) {
      splitter.add(piece);
      yield* lines;
      lines = [];
    }
    splitter.end();
    yield* lines;
  }

  async sha256(path: string): Promise<string | undefined> {
    return await digestPlain(this.directory, path, "sha256");
  }

  /** Removes a file; nothing happens when there is none of that name. */
  async remove(path: string): Promise<void> {
    await rm(join(this.directory, path), { force: true });
  }
}

function tooLong(path: string, line: number): InvalidInput {
  const allowed = `at most ${longestLineCharacters} characters`;
  return new InvalidInput(`${path} line ${line}`, "a longer line", allowed);
}
