import { S3Client } from "@aws-sdk/client-s3";

/**
 * A client that reads a results bucket wherever it is: S3 answers with the bucket's region, and the
 * call is made again there. A machine without a region of its own asks in the first one.
 */
export async function resultsClient(): Promise<S3Client> {
  const region = await new S3Client({}).config.region().catch(() => "us-east-1");
  return new S3Client({ region, followRegionRedirects: true });
}
