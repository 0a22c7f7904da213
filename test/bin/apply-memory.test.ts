import { LambdaClient } from "@aws-sdk/client-lambda";
import { beforeEach, expect, it } from "vitest";
import { Progress } from "../../bin/progress.ts";
import { applyMemory } from "../../bin/run/apply-memory.ts";
import { parseFunctionArn } from "../../bin/run/measured-copies.ts";
import type { Best } from "../../lib/analysis/recommendation.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import type { Cell } from "../../lib/contract/types/contract.ts";
import { capturedOutput } from "../support/captured-output.ts";
import { configFor, type FakeRequest, jsonError } from "../support/fake-aws/http.ts";

const target = parseFunctionArn("arn:aws:lambda:us-east-1:123456789012:function:orders");
const cell = (memoryMb: number) => ({ id: `orders-${memoryMb}`, memoryMb }) as Cell;
const decided = (memoryMb: number): Best => ({
  kind: "decided",
  cell: cell(memoryMb),
  against: [],
});
const among = (...sizes: readonly number[]): Best => ({
  ...{ kind: "undecided", among: sizes.map(cell), against: [] },
});

const output = capturedOutput();
let updates: unknown[];
beforeEach(() => {
  updates = [];
});

/** Lambda with the function at 512 MB, whose revision an update has to name. */
function lambda(revision = "1"): LambdaClient {
  const respond = ({ method, path, body }: FakeRequest) => {
    if (method === "GET") {
      const Configuration = { MemorySize: 512, RevisionId: "1" };
      return { status: 200, body: JSON.stringify({ Configuration }) };
    }
    const given = JSON.parse(body) as { readonly RevisionId: string };
    updates.push({ path: decodeURIComponent(path), ...given });
    // https://docs.aws.amazon.com/lambda/latest/api/API_UpdateFunctionConfiguration.html
    return given.RevisionId === revision
      ? { status: 200, body: "{}" }
      : jsonError(412, "PreconditionFailedException", "The RevisionId provided does not match");
  };
  return new LambdaClient({ ...configFor({ respond }), maxAttempts: 1 });
}

const questions: string[] = [];
async function applied(best: Best | undefined, answer: string | undefined, client = lambda()) {
  const variants = best === undefined ? [] : [{ balanced: best }];
  const summary = { recommendation: { variants } } as unknown as Pick<Summary, "recommendation">;
  const ask = async (question: string) => {
    questions.push(question);
    return answer;
  };
  const options = { client, ask, isAgreed: false, progress: new Progress() };
  await applyMemory(target, summary, "balanced", options);
}

it("sets the memory size and nothing else, after a printed change and a yes", async () => {
  await applied(decided(1024), "y");
  expect(output.stderr).toContain("- MemorySize: 512\n+ MemorySize: 1024\n");
  expect(questions.at(-1)).toBe("Set the memory size of orders? [y/N] ");
  const path = `/2015-03-31/functions/${target.arn}/configuration`;
  expect(updates).toEqual([{ path, MemorySize: 1024, RevisionId: "1" }]);
  expect(output.stderr).toContain("orders has 1024 MB now");
});

it.each(["n", "", undefined])("sets nothing on the answer %j", async (answer) => {
  await applied(decided(1024), answer);
  expect(updates).toEqual([]);
  expect(output.stderr).toContain("orders is left as it is");
});

it("leaves a size that is the best already, and one that the run cannot tell from it", async () => {
  await applied(decided(512), "y");
  await applied(among(1024, 512, 1769), "y");
  expect(updates).toEqual([]);
  expect(output.stderr).toContain("which the run cannot tell from 1024, 1769");
});

it("takes the least of several that it cannot tell apart where the present one is none of them", async () => {
  await applied(among(1769, 1024), "y");
  expect(updates).toMatchObject([{ MemorySize: 1769 }]);
});

it.each([undefined, { kind: "no-choice" } as Best])(
  "sets nothing without a choice: %j",
  async (best) => {
    await applied(best, "y");
    expect(updates).toEqual([]);
    expect(output.stderr).toContain("the run decided on no size");
  },
);

it("leaves a function that somebody else has changed since", async () => {
  await expect(applied(decided(1024), "y", lambda("2"))).rejects.toThrow(
    "changed by somebody else meanwhile",
  );
});
