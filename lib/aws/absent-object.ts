import {
  ListObjectsV2Command,
  NoSuchKey,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";

export interface ObjectAddress {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * Whether a call about an object failed because it is not there. S3 tells that (404) to those who may list
 * the whole bucket; to others an absent object is denied (403), as one is that they may not read. So the key is
 * listed, which the roles may by a condition on s3:prefix; where that is denied too, false: it cannot be told.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 */
export async function isAbsent(
  error: unknown,
  client: S3Client,
  { Bucket, Key }: ObjectAddress,
): Promise<boolean> {
  if (error instanceof NoSuchKey) return true;
  const isDenied = error instanceof S3ServiceException && error.$metadata.httpStatusCode === 403;
  if (!isDenied) return false;
  try {
    // In the order of their names: the key itself comes before those that begin with it.
    const list = new ListObjectsV2Command({ Bucket, Prefix: Key, MaxKeys: 1 });
    const { Contents = [] } = await client.send(list);
    return Contents[0]?.Key !== Key;
  } catch {
    return false;
  }
}
