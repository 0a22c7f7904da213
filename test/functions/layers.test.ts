import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { openLayers, requireExtensions, requireWrapper } from "../../lib/functions/layers.ts";
import { largestUnpackedBytes } from "../../lib/functions/unzip.ts";
import { makeZip } from "../support/make-zip.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const at = folderPerTest();
function write(name: string, text: string, mode = 0o644): string {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text, { mode });
  return at(name);
}

describe("layers", () => {
  it("lie one over the other, from zips and folders, in their order", async () => {
    writeFileSync(
      at("first.zip"),
      makeZip([
        { name: "bin/tool", content: "first" },
        { name: "lib/only-first.so", content: "1" },
      ]),
    );
    write("second/bin/tool", "second", 0o755);
    const opened = await openLayers([at("first.zip"), at("second")], at("opt"), 0);
    expect(readFileSync(at("opt/bin/tool"), "utf8")).toBe("second");
    expect(statSync(at("opt/bin/tool")).mode & 0o111).toBe(0o111);
    expect(readFileSync(at("opt/lib/only-first.so"), "utf8")).toBe("1");
    const other = await openLayers([at("second"), at("first.zip")], at("other"), 0);
    expect(readFileSync(at("other/bin/tool"), "utf8")).toBe("first");
    expect(other.sha256).not.toBe(opened.sha256);
  });

  it("are refused where they cannot be read, or are too large with their function", async () => {
    await expect(openLayers([at("none")], at("opt"), 0)).rejects.toThrow(/^layer: no such file: /);
    write("layer/file", "0123456789");
    await expect(openLayers([at("layer")], at("opt-2"), largestUnpackedBytes)).rejects.toThrow(
      "at most 250 MB unpacked with the function",
    );
  });
});

it("a wrapper script that is not there, or is not executable, is refused", () => {
  const refused = 'own: AWS_LAMBDA_EXEC_WRAPPER: found "/opt/wrap"; allowed: an executable file';
  expect(() => requireWrapper("own", "/opt/wrap", at("none"))).toThrow(refused);
  expect(() => requireWrapper("own", "/opt/wrap", write("wrap", "#!/bin/sh"))).toThrow(refused);
  expect(() => requireWrapper("own", "/opt/wrap", write("ok", "#!/bin/sh", 0o755))).not.toThrow();
});

describe("external extensions", () => {
  const required = () => requireExtensions("own", at(), "x86_64");

  it("are scripts and programs for this machine; what is in a folder below is none", () => {
    expect(required).not.toThrow();
    write("extensions/script", "#!/bin/sh", 0o755);
    write("extensions/own-files/data", "text");
    expect(required).not.toThrow();
  });

  it.each([
    ["is not executable", "#!/bin/sh", 0o644, "files that are executable"],
    ["is neither", "text", 0o755, "programs for x86_64"],
  ])("are refused by name where one %s", (_, text, mode, allowed) => {
    write("extensions/odd", text, mode);
    expect(required).toThrow(`own: extensions: found "odd"; allowed: ${allowed}`);
  });

  it("are refused where they are more than ten", () => {
    for (let n = 0; n < 11; n += 1) write(`extensions/${n}`, "#!/bin/sh", 0o755);
    expect(required).toThrow("allowed: at most 10");
  });
});
