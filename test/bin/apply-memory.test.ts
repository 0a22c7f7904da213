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
const verdict = { verdict: "faster", environments: 9, baselineEnvironments: 9 } as const;
/** The size, which is better than the others. */
const decided = (memoryMb: number, ...others: readonly number[]): Best => ({
  kind: "decided",
  cell: cell(memoryMb),
  against: others.map((other) => ({ ...verdict, cell: cell(other) })),
});
const among = (...sizes: readonly number[]): Best => ({
  ...{ kind: "undecided", among: sizes.map(cell), against: [] },
});

const output = capturedOutput();
let updates: unknown[];
beforeEach(() => {
  updates = [];
});

/** Lambda with the function at 512 MB, whose revision an update has to name, and what its tags are. */
function lambda(revision = "1", tagged: object = {}): LambdaClient {
  const respond = ({ method, path, body }: FakeRequest) => {
    if (method === "GET") {
      const Configuration = { MemorySize: 512, RevisionId: "1" };
      return { status: 200, body: JSON.stringify({ Configuration, ...tagged }) };
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
  await applied(decided(1024, 512), "y");
  expect(output.stderr).toContain("- MemorySize: 512\n+ MemorySize: 1024\n");
  expect(questions.at(-1)).toBe("Set the memory size of orders? [y/N] ");
  const path = `/2015-03-31/functions/${target.arn}/configuration`;
  expect(updates).toEqual([{ path, MemorySize: 1024, RevisionId: "1" }]);
  expect(output.stderr).toContain("orders has 1024 MB now");
});

it.each(["n", "", undefined])("sets nothing on the answer %j", async (answer) => {
  await applied(decided(1024, 512), answer);
  expect(updates).toEqual([]);
  expect(output.stderr).toContain("orders is left as it is: there was no yes");
});

it.each<[string, Best | undefined, string]>([
  ["is the best already", decided(512, 1024), "of those measured, its 512 MB are the balanced"],
  [
    "is undecided",
    among(1769, 1024),
    "the run did not decide which size is the balanced: it cannot tell 1769, 1024 MB apart",
  ],
  [
    "was not compared with the best",
    decided(1024, 128),
    "its 512 MB were not compared with 1024 MB",
  ],
  ["has no choice", { kind: "no-choice" }, "the run did not decide which size is the balanced"],
  ["has no recommendation", undefined, "the run did not decide which size is the balanced"],
])("leaves a function whose size %s, without a question", async (_, best, why) => {
  const asked = questions.length;
  await applied(best, "y");
  expect([updates, questions.slice(asked)]).toEqual([[], []]);
  expect(output.stderr).toContain(`orders is left as it is: ${why}`);
});

it.each<[string, object, string]>([
  [
    "a stack",
    { Tags: { "aws:cloudformation:stack-name": "Shop" } },
    "orders belongs to the stack Shop, whose next deployment would set 512 MB again: set MemorySize in its template",
  ],
  [
    "Terraform",
    { Tags: { Name: "orders", "managed-by": "Terraform" } },
    "orders belongs to Terraform by its tag managed-by=Terraform, whose next apply would set 512 MB again: set memory_size",
  ],
  ["neither", { Tags: { team: "shop" } }, "orders has no tag of CloudFormation or Terraform"],
  [
    "what it may not read",
    { TagsError: { ErrorCode: "AccessDeniedException", Message: "lambda:ListTags" } },
    "its tags could not be read (lambda:ListTags)",
  ],
])("says before the question that the function belongs to %s", async (_, tagged, text) => {
  await applied(decided(1024, 512), "n", lambda("1", tagged));
  expect(output.stderr).toContain(text);
});

it("leaves a function that somebody else has changed since", async () => {
  await expect(applied(decided(1024, 512), "y", lambda("2"))).rejects.toThrow(
    "changed by somebody else meanwhile",
  );
});
