import { S3Client } from "@aws-sdk/client-s3";
import { InvalidInput } from "../contract/errors.ts";
import { accountAccess } from "./account-access.ts";
import { credentialsProblem } from "./credentials-problem.ts";

/** Returns a client for buckets in any region: S3 answers with the region, and the client repeats the call there. */
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
  /** Absent if the address names only the bucket. */
  readonly runId?: string;
}

/**
 * Parses an address as the state machine prints it: `s3://BUCKET/runs/<runId>`, optionally with a file below it, or
 * `s3://BUCKET`. Throws InvalidInput for anything else.
 */
export function parseRunAddress(text: string): RunAddress {
  const [, bucket, below = ""] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(text) ?? [];
  const [folder, runId] = below.split("/");
  if (bucket === undefined || (folder !== "" && folder !== "runs")) {
    const meant = text.includes("://") ? "" : `: did you mean s3://${text}?`;
    const message = `an address is s3://BUCKET/runs/<runId>, or s3://BUCKET for the latest run${meant}`;
    throw new InvalidInput("address", text, "s3://BUCKET/runs/<runId>, or s3://BUCKET", message);
  }
  return { bucket, ...(runId !== undefined && runId !== "" && { runId }) };
}
