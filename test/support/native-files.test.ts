import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { elfHeader } from "./functions-file.ts";
import { foreignFiles } from "./native-files.ts";
import { folderPerTest } from "./temporary-folder.ts";

const folder = folderPerTest();

function put(name: string, content: string | Buffer): string {
  const path = folder(name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
  return path;
}

describe("the files of a function", () => {
  it("are foreign when they are built for another machine, wherever they lie", () => {
    const intel = put("library/_speedups.so", elfHeader(0x3e));
    const arm = put("bootstrap", elfHeader(0xb7));
    put("handler.py", "print()");
    put("empty", "");
    expect(foreignFiles(folder(), "arm64")).toEqual([intel]);
    expect(foreignFiles(folder(), "x86_64")).toEqual([arm]);
  });

  it("are foreign when they come from a wheel of another platform", () => {
    const tagged = (name: string, ...platforms: readonly string[]) =>
      put(`${name}.dist-info/WHEEL`, platforms.map((tag) => `Tag: cp313-cp313-${tag}\n`).join(""));
    tagged("pure", "any");
    tagged("both", "manylinux_2_17_x86_64", "manylinux2014_x86_64", "manylinux_2_17_aarch64");
    const intel = tagged("intel", "manylinux_2_17_x86_64");
    const apple = tagged("apple", "macosx_11_0_arm64");
    expect(foreignFiles(folder(), "arm64")).toEqual([apple, intel]);
  });
});
