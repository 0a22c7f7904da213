import { InvalidInput } from "../contract/errors.ts";

/** Where a run lies in S3. */
export interface RunAddress {
  readonly bucket: string;
  /** Absent: the address is the bucket's. */
  readonly runId?: string;
}

/**
 * The run of an address as the state machine prints it: `s3://BUCKET/runs/<runId>`, with or without a
 * file below it, or `s3://BUCKET`. Throws InvalidInput.
 */
export function parseRunAddress(text: string): RunAddress {
  const [, bucket, below = ""] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(text) ?? [];
  const [folder, runId] = below.split("/");
  if (bucket === undefined || (folder !== "" && folder !== "runs")) {
    throw new InvalidInput("address", text, "s3://BUCKET/runs/<runId>, or s3://BUCKET");
  }
  return { bucket, ...(runId !== undefined && runId !== "" && { runId }) };
}
