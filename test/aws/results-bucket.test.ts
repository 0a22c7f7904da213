import { S3Client } from "@aws-sdk/client-s3";
import { describe, expect, it, vi } from "vitest";
import { exitCodeFor, exitCodes } from "../../bin/exit-codes.ts";
import { cloudFormationProblem } from "../../lib/aws/bootstrap-stack.ts";
import { remoteRuns } from "../../lib/aws/fetch-run.ts";
import { parseRunAddress, resultsClient, s3Problem } from "../../lib/aws/results-bucket.ts";
import { describeError } from "../../lib/contract/errors.ts";
import { s3Error } from "../support/fake-aws/fake-s3.ts";
import { configFor } from "../support/fake-aws/http.ts";

describe("the client that reads a results bucket", () => {
  it("asks in the region that is set, and follows the bucket to its own", async () => {
    vi.stubEnv("AWS_REGION", "eu-west-1");
    const { config } = await resultsClient();
    expect(await config.region()).toBe("eu-west-1");
    expect(config.followRegionRedirects).toBe(true);
  });

  it("needs no region to be set: a bucket is found from any", async () => {
    vi.stubEnv("AWS_REGION", undefined);
    vi.stubEnv("AWS_DEFAULT_REGION", undefined);
    vi.stubEnv("AWS_CONFIG_FILE", "/nowhere");
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere");
    expect(await (await resultsClient()).config.region()).toBe("us-east-1");
  });
});

describe("the address of a run", () => {
  const run = { bucket: "results", runId: "20260101T0000Z-a" };

  it.each([
    ["s3://results/runs/20260101T0000Z-a", run],
    ["s3://results/runs/20260101T0000Z-a/", run],
    ["s3://results/runs/20260101T0000Z-a/report.html", run],
    ["s3://results", { bucket: "results" }],
    ["s3://results/", { bucket: "results" }],
    ["s3://results/runs/", { bucket: "results" }],
  ])("is read: %s", (text, address) => {
    expect(parseRunAddress(text)).toEqual(address);
  });

  it.each([
    "results",
    "s3://",
    "s3:///runs/x",
    "https://results/runs/x",
    "s3://results/lock.json",
    "s3://results/other/20260101T0000Z-a",
  ])("is refused when it is none: %s", (text) => {
    expect(() => parseRunAddress(text)).toThrow(
      "an address is s3://BUCKET/runs/<runId>, or s3://BUCKET for the latest run",
    );
  });
});

/** What is told of S3's answer, as a real client reads it. */
async function told(status: number, code: string) {
  const client = new S3Client(configFor({ respond: () => s3Error(status, code, "results") }));
  const error = await remoteRuns(client, "results").catch((thrown: unknown) => thrown);
  return describeError(s3Problem(error, "results"));
}

describe("what S3 answers", () => {
  it("names the bucket that is not there, as bad input", async () => {
    expect(await told(404, "NoSuchBucket")).toEqual({
      type: "InvalidInput",
      message:
        'bucket: found "results"; allowed: an existing bucket: the stack\'s output ResultsBucket',
    });
  });

  it.each([
    [
      403,
      "AccessDenied",
      "S3 denied access to results: AccessDenied: results; reading a run requires s3:Lis",
    ],
    [400, "ExpiredToken", "the AWS credentials have expired: ExpiredToken: results; sign in again"],
    [403, "InvalidAccessKeyId", "AWS refused the credentials: InvalidAccessKeyId: results"],
    [403, "SignatureDoesNotMatch", "AWS refused the credentials: SignatureDoesNotMatch: results"],
  ])("says what to do: %i %s", async (status, code, message) => {
    expect((await told(status, code)).message).toContain(message);
  });

  it("stands as it is where there is nothing to add", async () => {
    expect(await told(400, "InvalidRequest")).toEqual({
      type: "InvalidRequest",
      message: "InvalidRequest: results",
    });
    expect(s3Problem("a string", "results")).toBe("a string");
  });
});

it.each(["ENOTFOUND", "ECONNREFUSED", "ETIMEDOUT"])(
  "no answer of S3 is told as such: %s",
  (code) => {
    const error = Object.assign(new Error(`connect ${code}`), { code });
    expect(s3Problem(error, "results")).toMatchObject({
      message: `S3 cannot be reached: connect ${code}; check the region, the network and its proxy, and AWS_ENDPOINT_URL if it is set`,
    });
    const ofAll = Object.assign(new AggregateError([error], ""), { code });
    expect(cloudFormationProblem(ofAll)).toMatchObject({
      message: expect.stringMatching(`^CloudFormation cannot be reached: connect ${code}; check`),
    });
  },
);

it.each(["CredentialsProviderError", "ExpiredToken", "InvalidClientTokenId"])(
  "credentials that are missing or refused end every command with 2: %s",
  (name) => {
    const error = Object.assign(new Error("none"), { name });
    for (const problem of [s3Problem(error, "results"), cloudFormationProblem(error)]) {
      expect(exitCodeFor((problem as Error).name)).toBe(exitCodes.badInput);
    }
  },
);
