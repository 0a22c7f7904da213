import { DeleteObjectsCommand, ListObjectVersionsCommand } from "@aws-sdk/client-s3";
import { describeError } from "../contract/errors.ts";
import { uploadPrefix } from "../plan/deployment.ts";
import type { StackPlace } from "./bootstrap-stack.ts";
import { type AccountClients, commandOn } from "./deployed-stack.ts";

/**
 * Deletes what the CDK uploaded for a stack, in all versions, from the bootstrap's bucket; returns how many there were.
 * The role that publishes files may delete them: https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html
 * A call lists and deletes 1,000: https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html
 */
export async function deleteUploads(
  { name, account, partition, region, qualifier }: StackPlace,
  { s3As }: AccountClients,
): Promise<number> {
  const [place, Prefix] = [`${account}-${region}`, uploadPrefix(name)];
  const s3 = s3As(
    `arn:${partition}:iam::${account}:role/cdk-${qualifier}-file-publishing-role-${place}`,
  );
  const bucket = { Bucket: `cdk-${qualifier}-assets-${place}`, ExpectedBucketOwner: account };
  let deleted = 0;
  try {
    for (;;) {
      const found = await s3.send(new ListObjectVersionsCommand({ ...bucket, Prefix }));
      const versions = [...(found.Versions ?? []), ...(found.DeleteMarkers ?? [])];
      if (versions.length === 0) return deleted;
      const Objects = versions.map(({ Key, VersionId }) => ({ Key, VersionId }));
      const Delete = { Objects, Quiet: true };
      const { Errors = [] } = await s3.send(new DeleteObjectsCommand({ ...bucket, Delete }));
      if (Errors.length > 0) throw new Error(`${Errors[0]?.Code}: ${Errors[0]?.Message}`);
      deleted += versions.length;
    }
  } catch (error) {
    // There is no such bucket if the account is bootstrapped under another qualifier.
    if ((error as Error).name === "NoSuchBucket") return deleted;
    const left = `s3://${bucket.Bucket}/${Prefix}, which the CDK uploaded for ${name}, is not deleted`;
    const remedy = commandOn("destroy", { name, region, qualifier });
    throw new Error(`${left}: ${describeError(error).message}; ${remedy} tries again`);
  }
}
