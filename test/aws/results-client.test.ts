import { describe, expect, it, vi } from "vitest";
import { resultsClient } from "../../lib/aws/results-bucket.ts";

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
