import { S3Client } from "@aws-sdk/client-s3";
import { InvalidInput } from "../contract/errors.ts";
import { accountAccess } from "./account-access.ts";
import { credentialsProblem } from "./credentials-problem.ts";

/**
 * A client that reads a results bucket wherever it is: S3 answers with the bucket's region, and the
 * call is made again there. A machine without a region of its own asks in the first one.
 */
export async function resultsClient(): Promise<S3Client> {
  return new S3Client({ ...(await accountAccess()), followRegionRedirects: true });
}

/**
 * Explains why a bucket could not be read and says what to do; returns any other error unchanged.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
export function s3Problem(error: unknown, bucket: string): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message } = error;
  switch (name) {
    case "NoSuchBucket":
    case "InvalidBucketName":
      return new InvalidInput(
        "bucket",
        bucket,
        "an existing bucket: the stack's output ResultsBucket",
      );
    case "AccessDenied":
      return new Error(
        `S3 denied access to ${bucket}: ${message}; reading a run requires s3:ListBucket on the bucket and s3:GetObject on runs/* in it`,
      );
    default:
      return credentialsProblem(error, "S3") ?? error;
  }
}

/** Location of a run in S3. */
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
    const meant = text.includes("://") ? "" : `: did you mean s3://${text}?`;
    const said = `an address is s3://BUCKET/runs/<runId>, or s3://BUCKET for the latest run${meant}`;
    throw new InvalidInput("address", text, "s3://BUCKET/runs/<runId>, or s3://BUCKET", said);
  }
  return { bucket, ...(runId !== undefined && runId !== "" && { runId }) };
}
