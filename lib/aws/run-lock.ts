import {
  GetObjectCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { describeError } from "../contract/errors.ts";
import { isAbsent, type ObjectAddress } from "./s3-result-store.ts";

/** Beside the runs, so that it is listed as none of them. */
const runLockKey = "lock.json";

/** The run that measures on a stack. */
export interface RunHolder {
  /** ARN of its execution. */
  readonly execution: string;
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly since: string;
}

/** Another run has the stack. */
export class RunReplaced extends Error {
  override readonly name = "RunReplaced";
  constructor(by: string) {
    super(`another run is using the stack: ${by}`);
  }
}

/** The run, for a reader. */
export function nameOfRun({ runId, since, execution }: RunHolder): string {
  return `${runId} since ${since} (${execution})`;
}

interface HeldRunLock {
  readonly holder: RunHolder;
  readonly etag: string;
}

/**
 * Records which run measures on a stack: one object in the results bucket that is only ever written on a
 * condition. https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
export class RunLock {
  readonly #client: S3Client;
  readonly #location: ObjectAddress;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#location = { Bucket: bucket, Key: runLockKey };
  }

  /** The address of the object, for people. */
  get uri(): string {
    return `s3://${this.#location.Bucket}/${this.#location.Key}`;
  }

  /** Undefined while no run was ever started, and where it was deleted by hand. Throws where the object holds something else. */
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

  /**
   * True when the holder was written, in place of the lock that was read or, without one, where there
   * was none. False when another was quicker.
   */
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

/** 412: the condition does not hold; 409: another write is under way; 404: deleted since it was read. */
function isRefusal(error: unknown): boolean {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  return status === 412 || status === 409 || status === 404;
}
