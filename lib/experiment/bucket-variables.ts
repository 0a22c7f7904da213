import type { ExperimentBucket } from "./experiment.ts";

/** The environment variables by which a function finds its objects. */
export function bucketVariables(
  { prefix }: ExperimentBucket,
  bucketName: string,
): Readonly<Record<string, string>> {
  return { BUCKET_NAME: bucketName, OBJECT_PREFIX: prefix };
}
