import { describe, expect, it, vi } from "vitest";
import { jsonError } from "../support/fake-aws/http.ts";
import { cell, count, targetOn } from "../support/fake-aws/target-on-fake.ts";

const throttled = jsonError(429, "TooManyRequestsException", "Rate Exceeded.");
const refused = jsonError(400, "ThrottlingException", "Rate exceeded");
const none = { throttledCalls: 0, waitedMs: 0 };

/** The SDK's backoff is this part of its limit, which is 1 s for the first retry and doubles. */
const backoff = (part: number) => vi.spyOn(Math, "random").mockReturnValue(part);

describe("the control plane's throttling", () => {
  it("that did not happen is counted as none", async () => {
    const { target } = targetOn();
    expect(await target.forceCold(cell)).toMatchObject(none);
  });

  const at = (call: number, answer: typeof throttled) => (_: string, n: number) =>
    n === call ? answer : undefined;

  it.each([
    ["GetFunction", { onGet: at(1, throttled) }],
    ["the look at the update", { onGet: at(2, throttled) }],
    ["UpdateFunctionConfiguration", { onUpdate: at(1, throttled) }],
    ["the API before Lambda", { onUpdate: at(1, refused) }],
  ])("of %s is waited out, tried again and counted", async (_, options) => {
    backoff(0.05);
    const { target, lambda } = targetOn(options);
    const { throttledCalls, waitedMs } = await target.forceCold(cell);
    expect(throttledCalls).toBe(1);
    expect(waitedMs).toBeGreaterThanOrEqual(49);
    expect(waitedMs).toBeLessThan(1000);
    expect(lambda.functions.get("f")?.boot).toBe(1);
  });

  it("backs off longer with every try", async () => {
    backoff(0.02);
    const { target } = targetOn({ onUpdate: (_, n) => (n <= 3 ? throttled : undefined) });
    const { throttledCalls, waitedMs } = await target.forceCold(cell);
    expect(throttledCalls).toBe(3);
    expect(waitedMs).toBeGreaterThanOrEqual(20 + 40 + 80 - 3);
  });

  it("counts for the environment that it held up and for no later one", async () => {
    backoff(0);
    const { target } = targetOn({ onUpdate: (_, n) => (n === 1 ? throttled : undefined) });
    expect((await target.forceCold(cell)).throttledCalls).toBe(1);
    expect(await target.forceCold(cell)).toMatchObject(none);
  });

  it("that does not end fails the trial, with how often and how long it was tried", async () => {
    backoff(0);
    const { target, lambda } = targetOn({ onUpdate: () => throttled });
    await expect(target.forceCold(cell)).rejects.toMatchObject({
      name: "TooManyRequestsException",
      message: expect.stringMatching(/^Rate Exceeded\. \(8 calls throttled, \d+ ms waited\)$/),
    });
    expect(count(lambda, "Update f")).toBe(8);
  });

  it("is told apart from a service error, which is tried again and not counted", async () => {
    backoff(0);
    const failed = jsonError(500, "ServiceException", "internal");
    const { target } = targetOn({ onUpdate: (_, n) => (n === 1 ? failed : undefined) });
    expect(await target.forceCold(cell)).toMatchObject(none);
  });
});
