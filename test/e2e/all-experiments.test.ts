import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { experiments } from "../../lib/experiments/catalogue.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startKelvin } from "./support/kelvin-process.ts";
import { manifestIn, samplesIn } from "./support/local-run.ts";

const folder = temporaryFolder();
const run = join(folder, "run");
const ids = experiments.map(({ id }) => id);
/** Of each experiment one that other tests build too: no other SDK is compiled for this. */
const variants = "rust,python,unwarmed,python-serial";
const all = ["local", "--experiment", "all", "--preset", "quick", "--variants", variants];
const small = [...all, "--memory", "1536", "--cold", "2", "--warm", "0", "--seed", "3"];

const text = (path: string) => readFileSync(join(run, path), "utf8");
const manifestOf = (id: string) => manifestIn(join(run, id));
const isThere = (path: string) => existsSync(join(run, path));

describe("a local run of all experiments", () => {
  it("that is stopped keeps what was measured, and knows what was not begun", async () => {
    const { child, ended } = startKelvin([...small, "--out", run]);
    const second = `${ids[1]}/samples`;
    while (!isThere(second) || readdirSync(join(run, second)).length === 0) {
      await delay(50);
      if (child.exitCode !== null) throw new Error((await ended).stderr);
    }
    process.kill(-(child.pid as number), "SIGINT");
    const { code, stderr } = await ended;
    expect(code, stderr).toBe(130);
    expect(stderr).toContain(`experiment 2 of ${ids.length}: ${ids[1]}`);
    expect(manifestOf(ids[0] as string).status).toBe("complete");
    const last = ids.at(-1) as string;
    expect(isThere(`${last}/plan.json`)).toBe(true);
    expect(isThere(`${last}/samples`)).toBe(false);
    expect(text("report.md")).toContain(`**No report of ${last}.** It had not begun`);
    expect(isThere("SHA256SUMS")).toBe(false);
  });

  it("goes on with the rest, and leaves one report of all", async () => {
    const before = text(`${ids[0]}/SHA256SUMS`);
    const linesOfSecond = async () =>
      (await samplesIn(join(run, ids[1] as string))).map((sample) => JSON.stringify(sample));
    const kept = await linesOfSecond();
    const { code, stdout, stderr } = await startKelvin(["local", "--resume", run]).ended;
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`${ids[0]}: already measured`);
    expect(text(`${ids[0]}/SHA256SUMS`)).toBe(before);
    expect(await linesOfSecond()).toEqual(expect.arrayContaining(kept));
    expect(stdout).toContain("What was found");
    for (const { id, title } of experiments) {
      expect(manifestOf(id)).toMatchObject({ status: "complete", experiment: id });
      // What follows the colon names the variants, of which this run has not all.
      const [subject] = title.split(":");
      expect(text("report.md")).toContain(`\n## ${subject}`);
      expect(text("report.md")).toContain(`- **${subject}`);
    }
    expect(text("report.html")).not.toMatch(/<(?:link|img)\b|https?:\/\/(?!www\.w3\.org)/);
  });
});
