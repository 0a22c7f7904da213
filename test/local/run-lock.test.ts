import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isAlive, processStart } from "../../lib/local/process-identity.ts";
import { type LockOwner, lockName, lockRun } from "../../lib/local/run-lock.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let directory: string;
let children: ChildProcess[];
beforeEach(() => {
  directory = temporaryFolder();
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
});

const lock = () => join(directory, lockName);
const owner = () => JSON.parse(readFileSync(lock(), "utf8")) as LockOwner;
const write = (changes: Partial<LockOwner>) =>
  writeFileSync(lock(), JSON.stringify({ ...owner(), ...changes }));

/** Other processes that try to lock the folder at the same moment, and the line that each prints. */
async function contenders(count: number): Promise<{ child: ChildProcess; said: string }[]> {
  const script = join(import.meta.dirname, "functions", "lock-contender.ts");
  const args = ["--import", "tsx", script, directory];
  const started = Array.from({ length: count }, async () => {
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    children.push(child);
    const lines = createInterface({ input: child.stdout });
    await once(lines, "line");
    return { child, lines };
  });
  const ready = await Promise.all(started);
  const atEpochMs = Date.now() + 100;
  return await Promise.all(
    ready.map(async ({ child, lines }) => {
      child.stdin.write(`${atEpochMs}\n`);
      const [said] = await once(lines, "line");
      return { child, said };
    }),
  );
}

async function contender() {
  const [only] = await contenders(1);
  if (only === undefined) throw new Error("no process");
  return only;
}

describe("the lock of a run's folder", () => {
  it("is there while a process writes, tells who it is, and goes with it", () => {
    const { release, takenOverFrom } = lockRun("out", directory);
    expect(takenOverFrom).toBeUndefined();
    expect(owner()).toMatchObject({ pid: process.pid, start: processStart(process.pid) });
    release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it("refuses a second writer, and names the process of the first", async () => {
    const { child, said } = await contender();
    expect(said).toBe("locked");
    expect(() => lockRun("resume", directory)).toThrow(
      `resume: found "${directory}"; allowed: a folder that no other run writes to; process ${child.pid} has been writing to it since `,
    );
  });

  it("is taken over from a process that was killed, and that is told", async () => {
    const { child } = await contender();
    child.kill("SIGKILL");
    await once(child, "exit");
    const { takenOverFrom, release } = lockRun("resume", directory);
    expect(takenOverFrom?.pid).toBe(child.pid);
    expect(owner().pid).toBe(process.pid);
    release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it("is taken over where another process has the id by now, or the machine was started anew", () => {
    for (const changes of [{ start: "1" }, { boot: "before" }]) {
      const { release } = lockRun("out", directory);
      write(changes);
      const again = lockRun("out", directory);
      expect(again.takenOverFrom).toMatchObject(changes);
      // The first one's is gone: what is there is no longer its own to remove.
      release();
      expect(existsSync(lock())).toBe(true);
      again.release();
    }
  });

  it.each([
    [{ host: "elsewhere" }, "on the machine elsewhere"],
    [{ namespace: "1" }, "in another container of this machine"],
  ])("is refused where the process of %j cannot be seen from here", (changes, where) => {
    lockRun("out", directory);
    write({ start: "1", ...changes });
    expect(() => lockRun("out", directory)).toThrow(
      new RegExp(`${where} has been writing .*; if that one is gone, remove run.lock there$`),
    );
  });

  it.each(["", "null", '{"pid":-1}', "a secret"])("is refused by name where it is %j", (text) => {
    writeFileSync(lock(), text);
    expect(() => lockRun("out", directory)).toThrow(`${lock()}: found "${text.length} characters`);
  });

  it.each(["made", "taken over"])(
    "removes, once it is %s, those that killed processes had begun to make, and no other",
    (how) => {
      const first = lockRun("out", directory);
      const part = (n: number) => join(directory, `${lockName}.${String(n).repeat(16)}.part`);
      writeFileSync(part(1), JSON.stringify({ ...owner(), start: "1" }));
      writeFileSync(part(2), JSON.stringify(owner()));
      writeFileSync(part(3), JSON.stringify({ ...owner(), start: "1", host: "elsewhere" }));
      writeFileSync(part(4), "");
      symlinkSync(part(1), part(5));
      if (how === "made") first.release();
      else write({ start: "1" });
      const { release } = lockRun("out", directory);
      release();
      const left = readdirSync(directory).map((name) => join(directory, name));
      expect(left.sort()).toEqual([2, 3, 4, 5].map(part));
    },
  );

  it("has one winner where several processes take it over at the same moment", async () => {
    lockRun("out", directory);
    write({ start: "1" });
    const all = await contenders(5);
    const won = all.filter(({ said }) => said === "taken over");
    expect(won).toHaveLength(1);
    expect(owner().pid).toBe(won[0]?.child.pid);
    expect(readdirSync(directory)).toEqual([lockName]);
  });
});

it("a process is told from a later one of its id, and is gone once it has ended", async () => {
  const child = spawn("sleep", ["60"]);
  children.push(child);
  const pid = child.pid as number;
  const start = processStart(pid) as string;
  expect(isAlive(pid, start)).toBe(true);
  expect(isAlive(pid, `${start}0`)).toBe(false);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isAlive(pid, start)).toBe(false);
});
