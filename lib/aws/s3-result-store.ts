import { createHash } from "node:crypto";
import {
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import type { CellFailure, Sample } from "../contract/types/contract.ts";
import { msPerPart, samplesPerPart } from "../plan/blocks.ts";
import { failurePath, type ResultStore, samplesPath } from "../sampler/result-store.ts";
import type { Recorder } from "../sampler/sample-trial.ts";

const contentTypes: Readonly<Record<string, string>> = {
  json: "application/json",
  jsonl: "application/x-ndjson",
  html: "text/html; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  csv: "text/csv; charset=utf-8",
};

/** Stores results in S3 below runs/<folder>/. The folder is a run, or an experiment in a run. */
export class S3ResultStore implements ResultStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  /** SHA-256 by path of the files read so far, computed from the bytes that were returned. */
  readonly #sha256 = new Map<string, string>();

  constructor(client: S3Client, bucket: string, folder: string) {
    this.#client = client;
    this.#bucket = bucket;
    this.#prefix = `runs/${folder}/`;
  }

  /** Address of a file, for messages. */
  uri(path: string): string {
    return `s3://${this.#bucket}/${this.#prefix}${path}`;
  }

  async writeText(path: string, text: string): Promise<void> {
    const extension = path.slice(path.lastIndexOf(".") + 1);
    this.#sha256.delete(path);
    await this.#client.send(
      new PutObjectCommand({
        ...this.#location(path),
        Body: text,
        ContentType: contentTypes[extension] ?? "text/plain; charset=utf-8",
      }),
    );
  }

  async readText(path: string): Promise<string | undefined> {
    const bytes = await this.#bytes(path);
    return bytes && new TextDecoder().decode(bytes);
  }

  async list(folder: string): Promise<readonly string[]> {
    const paths: string[] = [];
    const prefix = `${this.#prefix}${folder}/`;
    const pages = paginateListObjectsV2(
      { client: this.#client },
      { Bucket: this.#bucket, Prefix: prefix },
    );
    for await (const { Contents } of pages) {
      for (const { Key } of Contents ?? []) {
        if (Key !== undefined) paths.push(Key.slice(this.#prefix.length));
      }
    }
    return paths.sort();
  }

  /** Reads the whole object: it is at most a part of a trial, and 32 in flight are a few MB. */
  readLines(path: string): AsyncIterable<string> {
    const bytes = this.#bytes(path);
    // The read starts early. Its error is thrown when the lines are read.
    bytes.catch(() => {});
    return linesOf(bytes);
  }

  async sha256(path: string): Promise<string | undefined> {
    if (!this.#sha256.has(path)) await this.#bytes(path);
    return this.#sha256.get(path);
  }

  async #bytes(path: string): Promise<Uint8Array | undefined> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(this.#location(path)));
      const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
      this.#sha256.set(path, createHash("sha256").update(bytes).digest("hex"));
      return bytes;
    } catch (error) {
      if (await isAbsent(error, this.#client, this.#location(path))) return undefined;
      throw error;
    }
  }

  #location(path: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${path}` };
  }
}

async function* linesOf(bytes: Promise<Uint8Array | undefined>): AsyncGenerator<string> {
  const text = new TextDecoder().decode(await bytes);
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    yield end < 0 ? text.slice(start) : text.slice(start, end);
    if (end < 0) return;
    start = end + 1;
  }
}

export interface ObjectAddress {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * Returns whether a call failed because the object does not exist. S3 answers 404 only to callers that may list the
 * bucket; to others it answers 403, as for an object that they may not read. So the key is listed, which the roles
 * may do by a condition on s3:prefix. Returns false if listing is denied too.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 */
export async function isAbsent(
  error: unknown,
  client: S3Client,
  { Bucket, Key }: ObjectAddress,
): Promise<boolean> {
  if (error instanceof NoSuchKey) return true;
  const isDenied = error instanceof S3ServiceException && error.$metadata.httpStatusCode === 403;
  if (!isDenied) return false;
  try {
    // Keys are listed in order, so the key itself precedes longer keys that begin with it.
    const list = new ListObjectsV2Command({ Bucket, Prefix: Key, MaxKeys: 1 });
    const { Contents = [] } = await client.send(list);
    return Contents[0]?.Key !== Key;
  } catch {
    return false;
  }
}

/** Some of a trial's samples, stored as one object. */
interface Part {
  readonly path: string;
  /** JSON lines by sequence, in the order of the calls. */
  readonly lines: Map<number, string>;
}

/**
 * Stores the samples of one trial in S3, in parts (lib/plan/blocks.ts). A full part is written again only if one of
 * its samples is recorded again with its telemetry.
 */
export class S3Recorder implements Recorder {
  readonly #store: ResultStore;
  /** The part of each sequence. */
  readonly #parts = new Map<number, Part>();
  readonly #unwritten = new Set<Part>();
  /** The part that takes further samples. Absent if the next sample starts a new part. */
  #open: Part | undefined;
  /** Start of the first call that is not yet written. */
  #unwrittenFromMs: number | undefined;
  #attempt: number | undefined;

  constructor(store: ResultStore) {
    this.#store = store;
  }

  async sample(sample: Sample): Promise<void> {
    if (sample.attempt !== this.#attempt) await this.#beginAttempt(sample);
    const { sequence, phase } = sample;
    const known = this.#parts.get(sequence);
    const part = known ?? this.#partFor(sample);
    part.lines.set(sequence, `${JSON.stringify(sample)}\n`);
    this.#parts.set(sequence, part);
    this.#unwritten.add(part);
    if (known !== undefined) return;
    if (this.#isFull(part, sample)) await this.flush();
    else if (phase === "cold") await this.#write(part);
  }

  async failure(failure: CellFailure): Promise<void> {
    await this.#store.writeText(failurePath(failure), `${JSON.stringify(failure)}\n`);
  }

  /** Each attempt to force a cold start has its own parts. */
  async #beginAttempt({ attempt }: Sample): Promise<void> {
    await this.flush();
    this.#attempt = attempt;
    this.#parts.clear();
  }

  /** Writes all remaining samples. Must be called when the trial ends, even if it failed. */
  async flush(): Promise<void> {
    this.#open = undefined;
    for (const part of [...this.#unwritten]) await this.#write(part);
  }

  #partFor(sample: Sample): Part {
    this.#open ??= { path: samplesPath(sample, sample.sequence), lines: new Map() };
    return this.#open;
  }

  #isFull({ lines }: Part, { startedAt = "", clientLatencyMs = 0 }: Sample): boolean {
    const startedMs = Date.parse(startedAt);
    this.#unwrittenFromMs ??= startedMs;
    const takenMs = startedMs + clientLatencyMs - this.#unwrittenFromMs;
    return lines.size >= samplesPerPart || takenMs >= msPerPart;
  }

  async #write(part: Part): Promise<void> {
    await this.#store.writeText(part.path, [...part.lines.values()].join(""));
    this.#unwritten.delete(part);
    this.#unwrittenFromMs = undefined;
  }
}
