import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { compare } from "../../bin/commands/compare.ts";
import { costBasis } from "../../bin/run/cost-basis.ts";
import { writeReport } from "../../bin/run/write-report.ts";
import type { Manifest, Plan } from "../../lib/contract/types/contract.ts";
import { capturedOutput } from "../support/captured-output.ts";
import type { Script } from "../support/fake-target.ts";
import { finishedRun } from "../support/finished-run.ts";
import { smallPlan } from "../support/small-plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

// A later run whose calls are lost, as fast as the earlier one where it answers.

const root = temporaryFolder();
const at = (name: string) => join(root, name);
const plan = (runId: string, more: Partial<Plan> = {}): Plan => ({
  ...smallPlan({ runId, cold: 9, warm: 45, operations: ["get"] }),
  ...more,
});

/** A call that is left out moves the made-up times of those after it. */
const words = { margin: 0.5 };

const ofPython =
  (change: Script): Script =>
  (call, answer) =>
    call.cell.variant === "python" ? change(call, answer) : answer;
const failing: Script = (_, { telemetry: _telemetry, payload: _payload, ...answer }) => ({
  ...answer,
  error: { type: "Error", message: "failed" },
});
const expecting = { requests: { get: { expected: { itemsCount: 1 } } } };
const wrong: Script = (_, answer) => ({
  ...answer,
  payload: { ...Object(answer.payload), itemsCount: 2 },
});
const silent: Script = (_, { telemetry: _telemetry, ...answer }) => answer;

/** Takes the last samples of a cell's block out of a run, which is otherwise as its writer leaves it. */
async function withoutCalls(folder: string): Promise<void> {
  const store = await finishedRun(folder, plan("20260105T0000Z-eeeeee"));
  const path = join(folder, "samples/python-arm64-128/0004.jsonl");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  writeFileSync(path, `${lines.slice(0, -2).join("\n")}\n`);
  const { counts: _, ...manifest } = JSON.parse(
    readFileSync(join(folder, "manifest.json"), "utf8"),
  ) as Manifest;
  await writeReport({ store, plan: plan("20260105T0000Z-eeeeee"), manifest, costs: costBasis({}) });
}

const someFailing: Script = (call, answer) =>
  call.invocation === 6 ? failing(call, answer) : answer;
const rustAlone = smallPlan({
  ...{ runId: "20260108T0000Z-abcdef", cold: 9, warm: 45, variants: ["rust"] },
  operations: ["get"],
});

/** Makes a later run of each kind in a folder, as its writer leaves it. */
const later: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  same: (folder) => finishedRun(folder, plan("20260102T0000Z-bbbbbb")),
  failing: (folder) => finishedRun(folder, plan("20260103T0000Z-cccccc"), ofPython(failing)),
  "some-failing": (folder) =>
    finishedRun(folder, plan("20260107T0000Z-abcabc"), ofPython(someFailing)),
  wrong: (folder) => finishedRun(folder, plan("20260104T0000Z-dddddd", expecting), ofPython(wrong)),
  silent: (folder) => finishedRun(folder, plan("20260106T0000Z-ffffff"), ofPython(silent)),
  missing: withoutCalls,
  "one-cell-less": (folder) => finishedRun(folder, rustAlone),
};

beforeAll(async () => {
  await finishedRun(at("before"), plan("20260101T0000Z-aaaaaa", expecting));
});

const output = capturedOutput();

describe("kelvin compare, of a later run that is as fast where it answers", () => {
  it("passes it where every call counts", async () => {
    await later.same?.(at("same"));
    expect(await compare(at("before"), at("same"), words)).toBe(0);
  });

  it.each([
    ["failing", "9 calls failed; 54 planned calls are missing"],
    ["some-failing", "9 calls failed"],
    ["wrong", "did not return the expected answer"],
    ["silent", "have no report of their own"],
    ["missing", "2 planned calls are missing"],
    ["one-cell-less", "1 cell, kind of call or experiment is in one run only"],
  ])("ends with 4 where it is %s, in either order, and says so first", async (name, cause) => {
    await later[name]?.(at(name));
    const markdown = at(`${name}.md`);
    expect(await compare(at("before"), at(name), { ...words, markdown })).toBe(4);
    expect(output.stdout.replaceAll(/\s+/g, " ")).toMatch(/^\S+ vs\. \S+.* WARNING: Not compared/);
    const said = output.stdout.replaceAll(/\s+/g, " ");
    expect(said).toContain(cause);
    const isOfLostCalls = !["missing", "one-cell-less"].includes(name);
    expect(
      said.includes(
        "not compared, as calls failed, answered wrongly, did not report or had a failed Init",
      ),
    ).toBe(isOfLostCalls);
    expect(/ python\S* (?:cold|warm get) .* – not compared/.test(said)).toBe(isOfLostCalls);
    expect(readFileSync(markdown, "utf8").split("\n")[0]).toContain(cause);
    expect(await compare(at(name), at("before"), words)).toBe(4);
  });
});
