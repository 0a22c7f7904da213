import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import { SourceReader } from "../../lib/import/read-source.ts";
import type { ReadSource, SourceFormat } from "../../lib/import/source.ts";

/** What was read, and the SHA-256 of its bytes in hex. */
export interface HashedSource {
  readonly source: ReadSource;
  readonly sha256: string;
}

/** The sources at paths, `-` being the standard input, each read piece by piece. Throws InvalidInput. */
export async function readSources(
  paths: readonly string[],
  format: SourceFormat | undefined,
): Promise<readonly HashedSource[]> {
  if (new Set(paths).size !== paths.length) {
    throw new InvalidInput("source", paths, "each file once, and - (the standard input) once");
  }
  const sources: HashedSource[] = [];
  for (const path of paths) sources.push(await readOne(path, format));
  return sources;
}

async function readOne(path: string, format: SourceFormat | undefined): Promise<HashedSource> {
  const reader = new SourceReader(path === "-" ? "stdin" : path, format);
  const hash = createHash("sha256");
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const bytes of bytesOf(path)) {
    hash.update(bytes);
    reader.add(decoder.decode(bytes, { stream: true }));
  }
  reader.add(decoder.decode());
  return { source: reader.end(), sha256: hash.digest("hex") };
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* path === "-" ? process.stdin : createReadStream(path);
  } catch (error) {
    const allowed = `a file to read, or - for the standard input (${describeError(error).message})`;
    throw new InvalidInput("source", path, allowed);
  }
}
