import { createHash } from "node:crypto";
import {
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from "@aws-sdk/client-s3";
import type { ResultStore } from "../protocol/result-store.ts";
import { isAbsent } from "./absent-object.ts";

const contentTypes: Readonly<Record<string, string>> = {
  json: "application/json",
  jsonl: "application/x-ndjson",
  html: "text/html; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  csv: "text/csv; charset=utf-8",
};

/** Results in S3, below runs/<folder>/: a run's, or an experiment's in it. */
export class S3ResultStore implements ResultStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  /** Of what was read whole, by path: what is made of a file and its checksum are of the same bytes. */
  readonly #sha256 = new Map<string, string>();

  constructor(client: S3Client, bucket: string, folder: string) {
    this.#client = client;
    this.#bucket = bucket;
    this.#prefix = `runs/${folder}/`;
  }

  /** The address of a file, for people. */
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

  /** The object whole, as it is at most a part of a visit: 32 of them in flight are a few MB. */
  readLines(path: string): AsyncIterable<string> {
    const bytes = this.#bytes(path);
    // Begun before its turn: an error is thrown to the one who reads the lines.
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
