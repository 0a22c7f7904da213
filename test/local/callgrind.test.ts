import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FunctionProcess } from "../../lib/local/function-process.ts";
import {
  CallgrindMeter,
  executedInstructions,
  underCallgrind,
} from "../../lib/local/instrumented-target.ts";
import { findValgrind } from "../../lib/toolchain/valgrind.ts";
import { folderPerTest, temporaryFolder } from "../support/temporary-folder.ts";

const costOfReading = 814;

const sleepIn = (workingDirectory: string) => ({
  ...{ command: "sleep", args: ["60"], workingDirectory },
  environment: { PATH: process.env.PATH ?? "" },
});

/** A process as callgrind tells of it: each answer makes it execute a little more. */
class Counted {
  #executed = 0;

  /** Work before the next reading, and before later ones. */
  readonly #work: number[] = [];

  works(...instructions: readonly number[]): void {
    this.#work.push(...instructions);
  }

  readonly executed = async (): Promise<number> => {
    const told = this.#executed + (this.#work.shift() ?? 0);
    this.#executed = told + costOfReading;
    return told;
  };
}

describe("the count of instructions", () => {
  it("is of Init first and then of each invocation, with nothing of the readings in it", async () => {
    const process = new Counted();
    const meter = new CallgrindMeter(process.executed);
    process.works(12_000_000);
    expect(await meter.lap()).toEqual({ instructions: 12_000_000 });
    for (const invocation of [420_000_000, 600_000, 0]) {
      process.works(invocation);
      expect(await meter.lap()).toEqual({ instructions: invocation });
    }
  });

  it("waits for a process that still works", async () => {
    const process = new Counted();
    const meter = new CallgrindMeter(process.executed);
    process.works(1_000_000, 500_000, 20_000);
    expect(await meter.lap()).toEqual({ instructions: 1_520_000 });
  });

  it("takes a woken thread's way back for the same where it is some instructions longer", async () => {
    const process = new Counted();
    const meter = new CallgrindMeter(process.executed);
    process.works(1_000_000);
    await meter.lap();
    process.works(600_000, 20);
    const { instructions } = await meter.lap();
    expect(instructions).toBe(600_000);
  });

  it("is none of a process that never rests: an error says so", async () => {
    let executed = 0;
    const meter = new CallgrindMeter(async () => {
      executed += 10_000_000;
      return executed;
    });
    await expect(meter.lap()).rejects.toThrow("the process did not come to rest");
  });
});

describe("the question for the count", () => {
  const folder = folderPerTest();
  let asked: FunctionProcess;
  beforeEach(() => {
    asked = new FunctionProcess(sleepIn(folder()));
  });
  afterEach(async () => await asked.kill());

  /** Asks by a vgdb that does this each time it is asked, and notes that it was. */
  const askedBy = (script: string, timeoutMs = 500) => {
    const vgdb = folder("vgdb");
    const noted = folder("asked");
    const note = `echo asked >> ${noted}; times=$(wc -l < ${noted})`;
    writeFileSync(vgdb, `#!/bin/sh\n${note}\n${script}\n`, { mode: 0o755 });
    const valgrind = { command: "valgrind", vgdb, version: "3", processor: "x" };
    const executed = executedInstructions(asked, valgrind, folder(), timeoutMs);
    const times = () => readFileSync(noted, "utf8").trim().split("\n").length;
    return { executed, times };
  };

  it("is asked again where it is not answered in time", async () => {
    const { executed, times } = askedBy(
      `[ $times -lt 3 ] && exec sleep 60; echo "events-1: 400"; echo "events-2: 14"`,
    );
    expect(await executed()).toBe(414);
    expect(times()).toBe(3);
  });

  it("counts a thread once that answers a question which was given up, too", async () => {
    const { executed } = askedBy(
      `echo "events-1: 400"; echo "events-2: 14"; echo "events-1: 401"; echo "events-2: 14"`,
    );
    expect(await executed()).toBe(415);
  });

  it("is an error at once where vgdb fails or tells no counts", async () => {
    const failing = askedBy(`echo "no such process" >&2; exit 1`);
    await expect(failing.executed()).rejects.toThrow("no such process");
    expect(failing.times()).toBe(1);
    await expect(askedBy(`echo "nothing"`).executed()).rejects.toThrow(
      "reported no counts: nothing",
    );
  });

  it("is an error where it is never answered", async () => {
    const { executed, times } = askedBy("exec sleep 60", 100);
    await expect(executed()).rejects.toThrow("left 12 questions unanswered");
    expect(times()).toBe(12);
  });
});

describe("a function under callgrind", () => {
  const valgrind = { command: "/bin/valgrind", vgdb: "/bin/vgdb", version: "3", processor: "x" };
  const bootstrap = {
    command: "/function/bootstrap",
    args: ["one"],
    workingDirectory: "/function",
    environment: { TABLE_NAME: "x" },
  };

  it("is the same command with the same environment behind valgrind, which can be asked", () => {
    expect(underCallgrind(bootstrap, valgrind, "/pipes")).toEqual({
      ...bootstrap,
      command: "/bin/valgrind",
      args: [
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        "--quiet",
        "--vgdb-prefix=/pipes/vgdb",
        "/function/bootstrap",
        "one",
      ],
    });
  });

  it.runIf(process.platform === "linux")("sees two processors at the most", () => {
    const { command, args } = underCallgrind(
      bootstrap,
      { ...valgrind, taskset: "/bin/taskset" },
      "/pipes",
    );
    expect(command).toBe("/bin/taskset");
    expect(args.slice(0, 3)).toEqual([
      "--cpu-list",
      expect.stringMatching(/^\d+(,\d+)?$/),
      "/bin/valgrind",
    ]);
  });

  const found = findValgrind();
  it.runIf(found !== undefined)("is counted for real: at rest it executes nothing", async () => {
    if (found === undefined) return;
    const folder = temporaryFolder();
    const sleeping = new FunctionProcess(underCallgrind(sleepIn(folder), found, folder));
    try {
      const executed = executedInstructions(sleeping, found, folder);
      let before = 0;
      const isAsleep = async () => {
        const now = await executed().catch(() => 0);
        const isSame = now > 50_000 && now === before;
        before = now;
        return isSame;
      };
      await expect.poll(isAsleep, { timeout: 60_000, interval: 100 }).toBe(true);
      const meter = new CallgrindMeter(executed);
      const { instructions: start } = await meter.lap();
      expect(start).toBeGreaterThan(50_000);
      expect(await meter.lap()).toEqual({ instructions: 0 });
    } finally {
      await sleeping.kill();
    }
  });
});
