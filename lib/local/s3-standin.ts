import { readFileSync } from "node:fs";
import { CreateBucketCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import type { SeedObject } from "../experiment/seed-objects.ts";
import { localCredentials } from "./function-environment.ts";
import type { Standin } from "./standin.ts";

/** Objects that are written at the same time. */
const atOnce = 10;

/** Creates the experiment's bucket and writes its objects. */
export async function createSeededBucket(
  standin: Standin,
  bucketName: string,
  objects: readonly SeedObject[],
): Promise<void> {
  const client = clientOf(standin);
  await client.send(new CreateBucketCommand({ Bucket: bucketName }));
  for (let start = 0; start < objects.length; start += atOnce) {
    const writing = objects
      .slice(start, start + atOnce)
      .map(({ key, body }) =>
        client.send(new PutObjectCommand({ Bucket: bucketName, Key: key, Body: body })),
      );
    await Promise.all(writing);
  }
  client.destroy();
}

function clientOf({ endpoint, rootCertificate }: Standin): S3Client {
  return new S3Client({
    endpoint,
    forcePathStyle: true,
    region: "us-east-1",
    credentials: localCredentials,
    ...(rootCertificate !== undefined && {
      requestHandler: { httpsAgent: { ca: readFileSync(rootCertificate), maxSockets: 10 } },
    }),
  });
}
