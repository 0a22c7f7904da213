import { describe, expect, it } from "vitest";
import { parseRunAddress } from "../../lib/aws/results-bucket.ts";

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
