import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { compare } from "../../bin/commands/compare.ts";
import { Progress } from "../../bin/progress.ts";
import { measureGate } from "../../bin/run/measure-gate.ts";
import { reportRun } from "../../bin/run/report-run.ts";
import { openRun } from "../../bin/run/stored-run.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import { capturedOutput, captureOutput } from "../support/captured-output.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

// What stored runs amount to, down to the last digit: a change of the house changes none of it. What is changed on
// purpose is read line by line, and stored by UPDATE_BASELINE=1.

const at = folderPerTest();
capturedOutput();
const here = (folder: string) => join(import.meta.dirname, folder);
const names = readdirSync(here("stored")).map((file) => file.replace(".json.gz", ""));
const json = (path: string) => JSON.parse(gunzipSync(readFileSync(path)).toString()) as unknown;
const failOns = ["slower", "not-proven"] as const;

function unpack(name: string): string {
  const files = json(here(`stored/${name}.json.gz`)) as Readonly<Record<string, string>>;
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(at(name, path)), { recursive: true });
    writeFileSync(at(name, path), text);
  }
  return at(name);
}

/** The figures and conclusions of a run, and the exit codes that commands end with. */
async function dumpOf(name: string) {
  const folder = unpack(name);
  const { code: report } = await reportRun(folder, {});
  const experiments = [];
  for (const { store } of (await openRun("folder", folder)).experiments) {
    const summary = JSON.parse((await store.readText("summary.json")) ?? "") as Summary;
    const gates: number[] = [];
    for (const failOn of name === "emulators" ? [] : failOns) {
      gates.push(measureGate(summary, 0, { failOn, args: [], progress: new Progress() }));
    }
    experiments.push({ summary, gates });
  }
  return { report, experiments };
}

async function dumpOfComparison(before: string, after: string) {
  const folders = [unpack(before), unpack(after)] as const;
  const codes: number[] = [];
  for (const failOn of failOns) {
    codes.push(await compare(...folders, { margin: 0.05, failOn, markdown: at("comment.md") }));
  }
  const output = captureOutput();
  await compare(...folders, { margin: 0.05, json: true });
  const {
    before: _,
    after: __,
    ...compared
  } = JSON.parse(output.stdout) as Record<string, unknown>;
  return { codes, compared };
}

function expectBaseline(name: string, dump: object): void {
  const path = here(`dumps/${name}.json.gz`);
  if (process.env.UPDATE_BASELINE === "1") {
    mkdirSync(here("dumps"), { recursive: true });
    writeFileSync(path, gzipSync(JSON.stringify(dump), { level: 9 }));
  }
  // What a summary gained is no difference.
  expect(JSON.parse(JSON.stringify(dump))).toMatchObject(json(path) as object);
}

describe("the baseline of stored runs", () => {
  it.each(names)("stays equal to the last digit: %s", async (name) => {
    expectBaseline(name, await dumpOf(name));
  });

  it("stays equal for the comparison of two runs", async () => {
    expectBaseline("before-after", await dumpOfComparison("before", "after"));
  });
});
