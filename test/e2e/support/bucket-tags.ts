import { PutBucketTaggingCommand, S3Client } from "@aws-sdk/client-s3";
import type { EmulatedAccount } from "../../support/emulated-account.ts";

/** MiniStack's CloudFormation leaves a bucket's tags out; the one that allows emptying is needed. */
export async function tagAsTheTemplateDoes(
  { client }: EmulatedAccount,
  bucket: string,
): Promise<void> {
  const TagSet = [{ Key: "aws-cdk:auto-delete-objects", Value: "true" }];
  const tagging = new PutBucketTaggingCommand({ Bucket: bucket, Tagging: { TagSet } });
  await new S3Client(client).send(tagging);
}
