import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { findNodeFor, findPythonFor } from "../../lib/toolchain/interpreters.ts";
import { fetchNode } from "../../lib/toolchain/node-binaries.ts";
import { runCommand } from "../../lib/toolchain/run-command.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const folder = folderPerTest();
const path = process.env.PATH ?? "";

const said: string[] = [];
const say = (line: string) => void said.push(line);

function script(name: string, ...lines: readonly string[]): string {
  const file = folder("tools", name);
  mkdirSync(folder("tools"), { recursive: true });
  writeFileSync(file, ["#!/bin/sh", ...lines, ""].join("\n"), { mode: 0o755 });
  return file;
}

/** What npm would bring, and an npm that brings it. */
async function fakePackage(): Promise<string> {
  mkdirSync(folder("package", "bin"), { recursive: true });
  writeFileSync(folder("package", "bin", "node"), "#!/bin/sh\necho v22.1.0\n", {
    mode: 0o755,
  });
  const archive = folder("made.tgz");
  await runCommand("tar", ["-czf", archive, "-C", folder(), "package"], { env: { PATH: path } });
  const log = folder("calls");
  script("npm", `echo "$2" >> ${log}`, `cp ${archive} "$4/node-test-22.1.0.tgz"`);
  vi.stubEnv("PATH", `${folder("tools")}${delimiter}${path}`);
  return `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
}

const pinned = (integrity: string) => ({
  ...{ say, platform: "test", cache: folder("cache") },
  known: { 22: { test: { package: "node-test", version: "22.1.0", integrity } } },
});

describe("the Node.js of a runtime", () => {
  it("is fetched once, said, and kept", async () => {
    const options = pinned(await fakePackage());
    said.length = 0;
    const first = await fetchNode(22, options);
    expect(await findNodeFor("nodejs22.x", { named: first.command, say })).toEqual(first);
    expect(await fetchNode(22, options)).toEqual(first);
    // Functions run as a user of their own.
    expect(statSync(dirname(first.command)).mode & 0o005).toBe(0o005);
    expect(said).toEqual(["fetching Node.js 22.1.0 (npm's node-test), once"]);
    expect(readFileSync(folder("calls"), "utf8")).toBe("node-test@22.1.0\n");
  });

  it("is refused where npm brings another archive than the pinned one, again and again", async () => {
    await fakePackage();
    const options = pinned("sha512-other");
    await expect(fetchNode(22, options)).rejects.toThrow("not the pinned sha512-other");
    await expect(fetchNode(22, options)).rejects.toThrow("not the pinned sha512-other");
  });

  it("is refused where the named one is of another version, unless any will do", async () => {
    const named = script("old", "echo v16.20.2");
    await expect(findNodeFor("nodejs22.x", { named, say })).rejects.toThrow(
      /^runtime: found "nodejs22.x"; .* found Node.js 16.20.2 .*--any-version/,
    );
    const any = await findNodeFor("nodejs22.x", { named, isAnyVersion: true, say });
    expect(any.version).toBe("16.20.2");
  });

  it("is refused where nobody has it", async () => {
    await expect(findNodeFor("nodejs14.x", { say })).rejects.toThrow(
      /nodejs18.x, nodejs20.x, nodejs22.x, nodejs24.x, nodejs26.x, or --node/,
    );
  });

  it("is Kelvin's own where that is of the version", async () => {
    const [major] = process.versions.node.split(".");
    const found = await findNodeFor(`nodejs${major}.x`, { say });
    expect(found).toEqual({ command: process.execPath, version: process.versions.node });
  });
});

describe("the Python of a runtime", () => {
  it("is refused where none of its version is here, naming what is", async () => {
    await expect(findPythonFor("python3.99", { say })).rejects.toThrow(
      /^runtime: found "python3.99"; .*found Python 3\.\d+.*Python 3.99 on PATH.*--any-version/,
    );
  });

  it("is refused where the named one is of another version, does not run, or is too old", async () => {
    const named = script("old", "echo 3.9.18");
    await expect(findPythonFor("python3.13", { named, say })).rejects.toThrow("Python 3.9.18");
    await expect(findPythonFor("python3.9", { named, say })).rejects.toThrow("python3.10 or later");
    const none = folder("none");
    await expect(findPythonFor("python3.13", { named: none, say })).rejects.toThrow(
      "none does not run here, or is no Python",
    );
  });
});
