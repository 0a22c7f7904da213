import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listPlain, readPlain } from "../../lib/files/plain-file.ts";
import { appendText, replaceFile } from "../../lib/files/replace-file.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const folder = folderPerTest();
let run: string;
let victim: string;
beforeEach(() => {
  run = folder("run");
  victim = folder("victim");
  mkdirSync(run);
  writeFileSync(victim, "untouched");
});
afterEach(() => expect(readFileSync(victim, "utf8")).toBe("untouched"));

describe("a file that is replaced", () => {
  it("is written under a name that nobody can foresee, and no link takes what is written", async () => {
    symlinkSync(victim, join(run, "series.csv.part"));
    await replaceFile(run, "series.csv", "text");
    expect(readFileSync(join(run, "series.csv"), "utf8")).toBe("text");
    expect(readdirSync(run).sort()).toEqual(["series.csv", "series.csv.part"]);
  });

  it("is refused by name where a link lies, or leads to it", async () => {
    symlinkSync(victim, join(run, "series.csv"));
    await expect(replaceFile(run, "series.csv", "text")).rejects.toThrow(
      `${join(run, "series.csv")}: found "a symbolic link"; allowed: a plain file`,
    );
    symlinkSync(folder(), join(run, "samples"));
    await expect(replaceFile(run, "samples/victim", "text")).rejects.toThrow(
      `${join(run, "samples")}: found "a symbolic link"; allowed: a plain folder`,
    );
  });

  it("leaves nothing unfinished where writing fails", async () => {
    const failing = async () => {
      throw new Error("no space left");
    };
    await expect(replaceFile(run, "series.csv", failing)).rejects.toThrow("no space left");
    expect(readdirSync(run)).toEqual([]);
  });

  it("takes the place of a hard link, and leaves the file that it led to", async () => {
    execFileSync("ln", [victim, join(run, "series.csv")]);
    await replaceFile(run, "series.csv", "text");
    expect(readFileSync(join(run, "series.csv"), "utf8")).toBe("text");
  });
});

it("a file that is appended to is made, and never one that was there", async () => {
  writeFileSync(join(run, "0000.jsonl"), "");
  await expect(appendText(run, "0000.jsonl", "text", true)).rejects.toThrow("EEXIST");
  symlinkSync(victim, join(run, "0001.jsonl"));
  await expect(appendText(run, "0001.jsonl", "text", true)).rejects.toThrow("a symbolic link");
  await expect(appendText(run, "0001.jsonl", "text", false)).rejects.toThrow("ELOOP");
});

describe("a file that is read", () => {
  it("is refused by name where it is a pipe, and nobody waits for a writer", async () => {
    execFileSync("mkfifo", [join(run, "plan.json")]);
    await expect(readPlain(run, "plan.json")).rejects.toThrow(
      `${join(run, "plan.json")}: found "a pipe"; allowed: a plain file`,
    );
  });

  it("is refused by name where it is a folder", async () => {
    mkdirSync(join(run, "plan.json"));
    await expect(readPlain(run, "plan.json")).rejects.toThrow('found "a folder"');
  });

  it("is none where there is none", async () => {
    expect(await readPlain(run, "nothing/plan.json")).toBeUndefined();
    expect(await listPlain(run, "samples")).toEqual([]);
  });

  it("is not listed past a link", async () => {
    mkdirSync(join(run, "samples", "a"), { recursive: true });
    writeFileSync(join(run, "samples", "a", "0000.jsonl"), "");
    expect(await listPlain(run, "samples")).toEqual(["samples/a/0000.jsonl"]);
    symlinkSync(victim, join(run, "samples", "a", "0001.jsonl"));
    await expect(listPlain(run, "samples")).rejects.toThrow(
      `${join(run, "samples", "a", "0001.jsonl")}: found "a symbolic link"`,
    );
  });
});
