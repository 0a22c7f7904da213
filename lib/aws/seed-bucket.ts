import { PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";

/** An object of text. */
export interface PlainObject {
  readonly key: string;
  readonly body: string;
}

export interface BucketSeedOptions {
  readonly client: S3Client;
  readonly bucketName: string;
}

/** Objects that are written at the same time. */
const atOnce = 10;

/** Writes the objects; throws where one cannot be written, after the client's own retries. */
export async function seedBucket(
  { client, bucketName }: BucketSeedOptions,
  objects: readonly PlainObject[],
): Promise<{ readonly written: number }> {
  for (let start = 0; start < objects.length; start += atOnce) {
    const writing = objects
      .slice(start, start + atOnce)
      .map(({ key, body }) =>
        client.send(new PutObjectCommand({ Bucket: bucketName, Key: key, Body: body })),
      );
    await Promise.all(writing);
  }
  return { written: objects.length };
}
