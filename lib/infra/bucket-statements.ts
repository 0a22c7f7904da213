import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { ExperimentBucket } from "../experiment/experiment.ts";

/** What an experiment's functions may do: list its prefix, and its calls on the objects below it. */
export function bucketStatements(
  { prefix, objectCalls }: ExperimentBucket,
  bucket: Bucket,
): readonly PolicyStatement[] {
  return [
    new PolicyStatement({
      actions: ["s3:ListBucket"],
      resources: [bucket.bucketArn],
      conditions: { StringEquals: { "s3:prefix": prefix } },
    }),
    new PolicyStatement({
      actions: [...objectCalls],
      resources: [bucket.arnForObjects(`${prefix}*`)],
    }),
  ];
}
