import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compare } from "../../bin/commands/compare.ts";
import { exportRun } from "../../bin/commands/export.ts";
import { importRun } from "../../bin/commands/import.ts";
import { report } from "../../bin/commands/report.ts";
import { Progress, printable } from "../../bin/progress.ts";
import { requireWritable, spaceOfPlans, whileLocked } from "../../bin/run/run-folder.ts";
import { unfinishedName } from "../../lib/files/replace-file.ts";
import { capturedOutput } from "../support/captured-output.ts";
import { finishedRun } from "../support/finished-run.ts";
import { smallPlan } from "../support/small-plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = temporaryFolder();
const whole = join(root, "whole");
const run = join(root, "run");
const plan = smallPlan({ cold: 1, warm: 5, operations: ["get"] });
const samples = "samples/rust-arm64-128/0000.jsonl";

beforeAll(async () => void (await finishedRun(whole, plan)));
const output = capturedOutput();
beforeEach(() => {
  cpSync(whole, run, { recursive: true });
  // What is broken is then found as it is read, and not by its checksum.
  rmSync(join(run, "SHA256SUMS"));
});
afterEach(() => {
  rmSync(run, { recursive: true });
});

const at = (path: string) => join(run, path);
const lines = () => readFileSync(at(samples), "utf8").trimEnd().split("\n");

/** The run with another third line, and what it is refused with. */
async function refusal(line: string): Promise<string> {
  const all = lines();
  all[2] = line;
  writeFileSync(at(samples), `${all.join("\n")}\n`);
  return await report(run, {}).then(
    () => "nothing was refused",
    (error: unknown) => (error as Error).message,
  );
}

const refusalOf = (changes: object) =>
  refusal(JSON.stringify({ ...JSON.parse(lines()[2] as string), ...changes }));

describe("a line that is no sample of its file is refused with the file and the line", () => {
  const place = `${samples} line 3`;

  it.each([
    ["null", "sample: found null; allowed: an object with "],
    ["{}", "sample.startedAt: found nothing; allowed: a value"],
    ["[]", "sample: found []"],
    ["12", "sample: found 12"],
  ])("%s", async (line, problem) => {
    expect(await refusal(line)).toContain(`${place}: ${problem}`);
  });

  it("a field that is none of a sample's", async () => {
    expect(await refusalOf({ telemetry: "x" })).toContain(`${place}: sample.telemetry: found "x"`);
    expect(await refusalOf({ sequence: -1 })).toContain(`${place}: sample.sequence: found -1`);
  });

  it("a sample of another trial", async () => {
    expect(await refusalOf({ block: 7 })).toBe(
      `${place}: found "samples/rust-arm64-128/0007.jsonl"; allowed: a sample of the trial that this file is for`,
    );
  });

  it("for compare and export too", async () => {
    await refusal("null");
    await expect(exportRun(run, { format: "csv" })).rejects.toThrow(`${place}: sample: found null`);
    expect(await compare(whole, run, { margin: 0.05 })).toBe(2);
    expect(output.stderr).toContain(`${place}: sample: found null`);
  });
});

describe("a file of a run is refused by its name", () => {
  it("where it is a folder", async () => {
    rmSync(at("manifest.json"));
    mkdirSync(at("manifest.json"));
    await expect(report(run, {})).rejects.toThrow(`${at("manifest.json")}: found "a folder"`);
  });

  it("where it is no JSON, and nothing of what it is instead is told", async () => {
    for (const file of ["plan.json", "manifest.json"]) {
      cpSync(join(whole, "plan.json"), at("plan.json"));
      writeFileSync(at(file), "root:secret:0:0");
      await expect(report(run, {})).rejects.toThrow(
        `${file}: found "15 characters"; allowed: JSON; this is not`,
      );
    }
  });

  it("where it is a plan of more cells than a plan may have", async () => {
    const cells = Array.from({ length: 3000 }, () => plan.cells[0]);
    writeFileSync(at("plan.json"), JSON.stringify({ ...plan, cells }));
    const refused = 'plan.cells: found "3000 items"; allowed: at most 300';
    await expect(report(run, {})).rejects.toThrow(refused);
  });

  it("where it is another run's", async () => {
    const manifest = JSON.parse(readFileSync(at("manifest.json"), "utf8"));
    writeFileSync(at("manifest.json"), JSON.stringify({ ...manifest, runId: "another" }));
    await expect(report(run, {})).rejects.toThrow(
      `manifest.json: manifest.runId: found "another"; allowed: ${plan.runId}, as the run's plan says`,
    );
  });

  it("where it says of no trial that it failed", async () => {
    mkdirSync(at("failures/rust-arm64-128"), { recursive: true });
    writeFileSync(at("failures/rust-arm64-128/0000.json"), "null");
    rmSync(at("manifest.json"));
    await expect(report(run, {})).rejects.toThrow(
      "failures/rust-arm64-128/0000.json: found null; allowed: a failed trial",
    );
  });

  it("where the run itself is a file", async () => {
    const path = at("plan.json");
    await expect(report(path, {})).rejects.toThrow(`${path} is a file, not the folder of a run`);
  });

  it("where it is an experiment's part of another run", async () => {
    for (const [folder, runId] of [
      ["dynamodb", plan.runId],
      ["compute", "another"],
    ] as const) {
      mkdirSync(at(`parts/${folder}`), { recursive: true });
      const part = { ...plan, runId, experiment: folder };
      writeFileSync(at(`parts/${folder}/plan.json`), JSON.stringify(part));
    }
    await expect(report(at("parts"), {})).rejects.toThrow("plan.json: plan.runId: found");
  });
});

describe("what a terminal would obey", () => {
  const hostile = "a\u001b[31m\u009b\u007f\u202e\r\u0007b\nc\td";

  it("is written as an escape, and JSON stays the same JSON", () => {
    expect(printable(hostile)).toBe("a\\u001b[31m\\u009b\\u007f\\u202e\\u000d\\u0007b\nc\td");
    const json = JSON.stringify({ hostile });
    expect(JSON.parse(printable(json))).toEqual({ hostile });
  });

  it("comes from no message, whatever its source", async () => {
    new Progress().say(hostile);
    new Progress().show(hostile);
    const named = join(run, "\u001b[2Jnowhere\u009b");
    expect(await compare(named, named, { margin: 0.05 })).toBe(2);
    expect(output.stderr).toContain("\\u009b");
    for (const raw of ["\u001b", "\u009b", "\u202e", "\r"])
      expect(output.stderr).not.toContain(raw);
  });
});

describe("the folder of a new run", () => {
  const folder = { option: "out" } as const;

  it("is refused where nothing can be written to it", () => {
    const directory = join(run, "plan.json", "below");
    expect(() => requireWritable({ ...folder, directory }, spaceOfPlans([plan]))).toThrow(
      `out: found "${directory}"; allowed: a folder that can be written to (ENOTDIR`,
    );
  });

  it("is refused where the plan's samples do not fit", () => {
    const large = smallPlan({ cold: 1000, warm: 1000 });
    const free = () => 3.9 * 1024 * 1024;
    expect(() =>
      requireWritable({ ...folder, directory: run }, spaceOfPlans([large]), free),
    ).toThrow(
      /^out: found ".*"; allowed: a folder with \d+ MB free for \d+ samples and their report; it has 3 MB$/,
    );
  });

  it("has nothing more in it for having been tried", () => {
    const directory = join(run, "new");
    const before = readdirSync(run);
    requireWritable({ ...folder, directory: run }, spaceOfPlans([plan]));
    requireWritable({ ...folder, directory }, spaceOfPlans([plan]));
    expect(readdirSync(run)).toEqual(before);
  });

  it("is refused by import before a source is read, and nothing is made", async () => {
    const out = join(run, "plan.json", "below", "folder");
    await expect(importRun(["/nowhere"], { out })).rejects.toThrow(
      `out: found "${out}"; allowed: a folder that can be reached (ENOTDIR`,
    );
    await expect(importRun(["/nowhere"], { out: run })).rejects.toThrow(
      /^out: found .* that holds no run yet/,
    );
    const fresh = join(run, "new", "folder");
    await expect(importRun(["/nowhere"], { out: fresh })).rejects.toThrow(/^no such file: /);
    expect(readdirSync(run)).not.toContain("new");
  });

  it("is free of what a killed write left in it, once the run is locked, and of nothing else", async () => {
    const left = ["plan.json", "samples/rust-arm64-128/0000.jsonl"].map(unfinishedName);
    const kept = ["notes.part", ...["probe", "run.lock"].map(unfinishedName)];
    for (const path of [...left, ...kept]) writeFileSync(at(path), "half");
    const before = new Set(readdirSync(run, { recursive: true }).map(String));
    await whileLocked({ option: "resume", directory: run }, [plan], async () => {
      const now = new Set(readdirSync(run, { recursive: true }).map(String));
      expect([...before].filter((path) => !now.has(path)).sort()).toEqual([...left].sort());
    });
    for (const path of kept) expect(readFileSync(at(path), "utf8")).toBe("half");
  });
});
