import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { processStart } from "../../lib/local/process-identity.ts";
import packageJson from "../../package.json" with { type: "json" };
import { folderPerTest } from "../support/temporary-folder.ts";
import { runSteps, type StepUnderWay, stillGoingText } from "./run-steps.ts";
import type { Step } from "./step.ts";

const folder = folderPerTest();
afterEach(() => void vi.useRealTimers());

/** Notes its begin and its end, and prints its name twice. */
function noting(name: string, script = ":"): Step {
  const note = (what: string) => `echo ${what} ${name} >> notes; echo ${name}`;
  return {
    name,
    command: "sh",
    args: ["-c", `${note("begin")}; ${script}; ${note("end")}`],
    cwd: folder(),
  };
}

const notes = () => readFileSync(folder("notes"), "utf8").trim().split("\n");

async function run(steps: readonly Step[]) {
  const lines: string[] = [];
  const counts = await runSteps(steps, (line) => lines.push(line));
  return { counts, text: lines.join("\n") };
}

describe("the steps of `npm test`", () => {
  it("go on beside each other, but for one that comes after another", async () => {
    const slow = noting("slow", "sleep 0.3");
    const { counts } = await run([{ ...noting("then"), after: [slow] }, slow, noting("beside")]);
    expect(notes()).toContain("begin beside");
    expect(notes().indexOf("begin beside")).toBeLessThan(notes().indexOf("end slow"));
    expect(notes().slice(-2)).toEqual(["begin then", "end then"]);
    expect(counts).toEqual({ passed: 3, failed: 0, failures: [] });
  });

  it("keep together what each prints", async () => {
    const { text } = await run([noting("one", "sleep 0.2"), noting("two", "sleep 0.2")]);
    expect(text).toMatch(/== one\none\none\n-- one: 1 passed, 0 failed/);
    expect(text).toMatch(/== two\ntwo\ntwo\n-- two: 1 passed, 0 failed/);
  });

  it("leave no signal to what comes after them in the same process", async () => {
    const listeners = () =>
      (["SIGINT", "SIGTERM"] as const).map((signal) => process.listeners(signal));
    const before = listeners();
    await run([noting("one"), noting("two")]);
    expect(listeners()).toEqual(before);
  });

  it("are named every minute while they go on, and no longer", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    const lines: string[] = [];
    // The folder of a test that failed is gone, and its notes with it.
    const untilTold = "while [ -e notes ] && [ ! -e told ]; do sleep 0.01; done";
    const steps = [noting("quick"), noting("slow", untilTold)];
    const ended = runSteps(steps, (line) => lines.push(line));
    while (!lines.some((line) => line.startsWith("-- quick"))) await setTimeout(10);
    vi.advanceTimersByTime(120_000);
    expect(lines.filter((line) => line.startsWith(".. still going:"))).toEqual([
      expect.stringMatching(/^\.\. still going: slow 1 min 0 s/),
      expect.stringMatching(/^\.\. still going: slow 2 min 0 s/),
    ]);
    writeFileSync(folder("told"), "");
    await ended;
    const said = lines.length;
    vi.advanceTimersByTime(120_000);
    expect(lines).toHaveLength(said);
  });

  it("begin the one that has to be alone when all others have ended, though one has failed", async () => {
    const alone: Step = { ...noting("alone"), isAlone: true };
    const { counts } = await run([alone, noting("slow", "sleep 0.3"), noting("bad", "exit 3")]);
    expect(notes().slice(-2)).toEqual(["begin alone", "end alone"]);
    expect(counts).toEqual({ passed: 2, failed: 1, failures: ["bad"] });
  });

  it("count a runner that counts nothing as failed", async () => {
    const empty: Step = {
      ...noting("empty"),
      counts: () => ({ passed: 0, failed: 0, failures: [] }),
    };
    const failures = ["empty"];
    expect((await run([empty])).counts).toEqual({ passed: 0, failed: 1, failures });
  });

  it.each([
    { what: "beside others", isAlone: false },
    { what: "alone", isAlone: true },
  ])(
    "end with all of their processes where a signal reaches `npm test` alone: a step $what",
    async ({ isAlone }) => {
      const script = "sleep 60 & echo $! > started; mv started pid; wait";
      const step = { name: "waits", command: "sh", args: ["-c", script], cwd: folder() };
      const steps = JSON.stringify([isAlone ? { ...step, isAlone } : step]);
      const source = join(import.meta.dirname, "run-steps.ts");
      const run = spawn(
        process.execPath,
        ["--import", "tsx", "--input-type=module", "-e", runsSteps(source, steps)],
        { stdio: "ignore" },
      );
      const ended = once(run, "exit");
      const pidFile = folder("pid");
      await expect.poll(() => existsSync(pidFile), { timeout: 30_000 }).toBe(true);
      const pid = Number(readFileSync(pidFile, "utf8"));
      expect(processStart(pid)).toBeDefined();
      run.kill("SIGTERM");
      expect(await ended).toEqual([130, null]);
      await expect.poll(() => processStart(pid), { timeout: 10_000 }).toBeUndefined();
    },
  );
});

it("npm's scripts hand on a signal that reaches npm alone: the command takes the place of npm's shell", () => {
  const scripts: readonly [string, string][] = Object.entries(packageJson.scripts);
  // `generate` and `prepack` end within seconds.
  const long = scripts.filter(
    ([name, script]) => name !== "generate" && /tsx (bench|bin|test)\//.test(script),
  );
  expect(long.length).toBeGreaterThan(10);
  for (const [name, script] of long) expect(script, name).toMatch(/^exec node /);
});

function runsSteps(source: string, steps: string): string {
  return `import { runSteps } from ${JSON.stringify(source)}; await runSteps(${steps}, () => {});`;
}

function underWay(name: string, startedMs: number, lines: readonly string[] = []): StepUnderWay {
  return { name, startedMs, lines };
}

describe("the line of the steps that are still going", () => {
  it("names each with how long it has been going, the longest first", () => {
    const steps = [underWay("unit tests", 140_000), underWay("functions (Rust)", 0)];
    const text = ".. still going: functions (Rust) 3 min 0 s, unit tests 40 s";
    expect(stillGoingText(steps, 180_000)).toBe(text);
  });

  it("gives the last line of the longest alone, without its colours and blank lines after it", () => {
    const steps = [
      underWay("build", 0, ["first", "\u001b[32mcompiling ring\u001b[39m", "", "\u001b[0m"]),
      underWay("lint", 1000, ["fine"]),
    ];
    const text = ".. still going: build 1 min 0 s (compiling ring), lint 59 s";
    expect(stillGoingText(steps, 60_000)).toBe(text);
  });

  it("shortens a line that is long", () => {
    const text = stillGoingText([underWay("build", 0, ["x".repeat(81)])], 60_000);
    expect(text).toBe(`.. still going: build 1 min 0 s (${"x".repeat(80)}...)`);
  });
});
