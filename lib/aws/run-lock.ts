import {
  GetObjectCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { describeError } from "../contract/errors.ts";
import { runLockKey } from "../plan/deployment.ts";
import { isAbsent, type ObjectAddress } from "./s3-result-store.ts";

/** The run that is using a stack. */
export interface RunHolder {
  /** ARN of its execution. */
  readonly execution: string;
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly since: string;
}

/** Thrown if another run has taken the stack. */
export class RunReplaced extends Error {
  override readonly name = "RunReplaced";
  constructor(by: string) {
    super(`another run is using the stack: ${by}`);
  }
}

/** Formats the holder for an error message. */
export function nameOfRun({ runId, since, execution }: RunHolder): string {
  return `${runId} since ${since} (${execution})`;
}

interface HeldRunLock {
  readonly holder: RunHolder;
  readonly etag: string;
}

/**
 * Records which run is using a stack, as one object in the results bucket. All writes are conditional.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
export class RunLock {
  readonly #client: S3Client;
  readonly #location: ObjectAddress;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#location = { Bucket: bucket, Key: runLockKey };
  }

  /** Address of the object, for messages. */
  get uri(): string {
    return `s3://${this.#location.Bucket}/${this.#location.Key}`;
  }

  /** Returns undefined if no run was ever started or the lock was deleted by hand. Throws if it cannot be read. */
  async read(): Promise<HeldRunLock | undefined> {
    try {
      const { Body, ETag } = await this.#client.send(new GetObjectCommand(this.#location));
      const holder = JSON.parse((await Body?.transformToString("utf8")) ?? "") as RunHolder;
      return { holder, etag: ETag ?? "" };
    } catch (error) {
      if (await isAbsent(error, this.#client, this.#location)) return undefined;
      const { message } = describeError(error);
      throw new Error(
        `${this.uri} cannot be read: ${message}; delete it once no run is in progress`,
      );
    }
  }

  /** Writes the holder if the lock is still `over` (default: absent). Returns false if another run was faster. */
  async take(holder: RunHolder, over?: HeldRunLock): Promise<boolean> {
    const condition = over === undefined ? { IfNoneMatch: "*" } : { IfMatch: over.etag };
    const body = { Body: `${JSON.stringify(holder)}\n`, ContentType: "application/json" };
    try {
      await this.#client.send(new PutObjectCommand({ ...this.#location, ...body, ...condition }));
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      if (over !== undefined && (await isAbsent(error, this.#client, this.#location))) return false;
      throw error;
    }
  }
}

/** 412: the condition failed. 409: another write is in progress. 404: deleted since it was read. */
function isRefusal(error: unknown): boolean {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  return status === 412 || status === 409 || status === 404;
}
