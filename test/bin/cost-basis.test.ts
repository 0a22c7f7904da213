import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { kelvinProgram } from "../../bin/program.ts";
import { costBasis } from "../../bin/run/cost-basis.ts";
import { storedManifest } from "../../bin/run/stored-manifest.ts";
import { openRun } from "../../bin/run/stored-run.ts";
import { rewriteReport } from "../../bin/run/write-report.ts";
import { finishedRun } from "../support/finished-run.ts";
import { smallPlan } from "../support/small-plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const traffic = { coldShare: 0.125, invocations: 2500 };

const text = (path: string) => readFileSync(join(folder, path), "utf8");

describe("the costs in the report that a run writes at its end", () => {
  it("are those of the traffic that its command says", async () => {
    const plan = smallPlan({ target: "local", operations: ["get"] });
    await finishedRun(folder, plan, undefined, costBasis(traffic));
    expect(text("report-full.md")).toContain("\\$ per month, 2,500 calls");
    expect(text("report-full.md")).toContain("at 12.5% cold");
  });

  it("are the later command's where it finds all measured, and the manifest stays as it was", async () => {
    const left = text("manifest.json");
    const [only] = (await openRun("resume", folder)).experiments;
    if (only === undefined) throw new Error("no experiment");
    const costs = costBasis({ invocations: 7_000_000 });
    const manifest = await storedManifest(only, { kind: "no-checksums" }, costs.prices);
    await rewriteReport({ ...only, manifest, costs });
    expect(text("report-full.md")).toContain("\\$ per month, 7,000,000 calls");
    expect(text("report-full.md")).toContain("at 1% cold");
    expect(text("manifest.json")).toBe(left);
  });
});

describe("kelvin local", () => {
  it.each(["compute", "all", "emulators"])(
    "refuses costs that cannot be stated before it builds anything of %s",
    async (experiment) => {
      const kelvin = async (...words: readonly string[]) => {
        const out = ["--out", join(folder, "never")];
        const all = ["local", "--experiment", experiment, ...out, ...words];
        return await kelvinProgram().parseAsync(all, { from: "user" });
      };
      await expect(kelvin("--cold-share", "2")).rejects.toThrow(
        '--cold-share is a percentage between 0% and 100%, such as 2%; found "2"',
      );
      await expect(kelvin("--invocations", "0")).rejects.toThrow(
        "--invocations takes a whole number from 1, not 0",
      );
    },
  );
});
