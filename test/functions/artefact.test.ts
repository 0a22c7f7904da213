import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openArtefact, readExecutable } from "../../lib/functions/artefact.ts";
import { chooseRuntime, requireBootstrap } from "../../lib/functions/runtime-choice.ts";
import { makeZip, type ZippedFile } from "../support/make-zip.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kelvin-artefact-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

let opened = 0;
async function zipped(...files: readonly ZippedFile[]) {
  const path = join(folder, "function.zip");
  writeFileSync(path, makeZip(files));
  opened += 1;
  return await openArtefact(path, join(folder, `unpacked-${opened}`));
}

const defaults = { python: "python3.13", node: "nodejs22.x" };
const python = "def lambda_handler(event, context):\n    return 1\n";

describe("an artefact", () => {
  it.each([
    "123456789012.dkr.ecr.eu-west-1.amazonaws.com/orders:latest",
    "orders@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  ])("is no container image, and says what is missing: %s", async (image) => {
    await expect(openArtefact(image, join(folder, "image"))).rejects.toThrow(
      /^artefact: found ".*"; allowed: a zip or a folder. Container images are not supported yet: /,
    );
  });

  it("is unpacked with its folders and executable bits, and says how large it is", async () => {
    const artefact = await zipped(
      { name: "bootstrap", content: "#!/bin/sh\n", mode: 0o100755 },
      { name: "lib/a.txt", content: "hello" },
    );
    expect(artefact.files).toEqual(["bootstrap", "lib/a.txt"]);
    expect(statSync(join(artefact.folder, "bootstrap")).mode & 0o111).toBe(0o111);
    expect(statSync(join(artefact.folder, "lib/a.txt")).mode & 0o111).toBe(0);
    expect(artefact).toMatchObject({ sizeBytes: 15, zipBytes: expect.any(Number) });
    expect(artefact.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("of a folder is a copy, which stays as it was, with a hash of names and contents", async () => {
    const source = join(folder, "source");
    mkdirSync(join(source, "lib"), { recursive: true });
    writeFileSync(join(source, "lib", "a.txt"), "before");
    const first = await openArtefact(source, join(folder, "copy"));
    writeFileSync(join(source, "lib", "a.txt"), "after");
    expect(readFileSync(join(first.folder, "lib", "a.txt"), "utf8")).toBe("before");
    expect((await openArtefact(source, join(folder, "copy-2"))).sha256).not.toBe(first.sha256);
    expect(first).not.toHaveProperty("zipBytes");
  });

  it.each(["../outside.txt", "/etc/outside.txt", "a/../../outside.txt", "a\\..\\..\\outside.txt"])(
    "writes nothing outside of its folder: %s",
    async (name) => {
      await expect(zipped({ name, content: "x" })).rejects.toThrow(/artefact: found/);
      expect(() => statSync(join(folder, "outside.txt"))).toThrow();
    },
  );

  it("keeps links to its own files, and refuses any that leads outside", async () => {
    const link = (name: string, content: string) => ({ name, content, mode: 0o120777 });
    const kept = await zipped({ name: "lib/v1", content: "one" }, link("lib/latest", "v1"));
    expect(readFileSync(join(kept.folder, "lib", "latest"), "utf8")).toBe("one");
    for (const target of ["/etc/passwd", "../../etc/passwd"]) {
      await expect(zipped(link("lib/bad", target))).rejects.toThrow(
        "links to files inside the zip",
      );
    }
    const file = { name: "p/q/file", content: "x" };
    const byTwo = [file, link("p/q/up", "../.."), link("z", "p/q/up/..")];
    await expect(zipped(...byTwo)).rejects.toThrow("links to files inside the zip");
  });

  it("is refused in words where it is no zip, or is not there", async () => {
    const path = join(folder, "no.zip");
    writeFileSync(path, "no zip at all");
    const into = join(folder, "into");
    await expect(openArtefact(path, into)).rejects.toThrow("a zip that Lambda accepts");
    const missing = openArtefact(join(folder, "none.zip"), into);
    await expect(missing).rejects.toThrow("a zip or a folder that can be read");
  });
});

describe("the runtime and the handler", () => {
  const asked = { name: "base" };
  const found = async (...files: readonly ZippedFile[]) =>
    chooseRuntime(asked, await zipped(...files), defaults);

  it.each([
    ["lambda_function.py", python, "python3.13", "lambda_function.lambda_handler"],
    ["app.py", python, "python3.13", "app.lambda_handler"],
    ["index.mjs", "export const handler = async () => 1;", "nodejs22.x", "index.handler"],
    [
      "index.mjs",
      "async function handler() {}\nexport { handler };",
      "nodejs22.x",
      "index.handler",
    ],
    ["index.js", "exports.handler = async () => 1;", "nodejs22.x", "index.handler"],
    ["index.cjs", "module.exports = { handler: () => 1 };", "nodejs22.x", "index.handler"],
    ["app.js", '"use strict";\nexports.handler = void 0;', "nodejs22.x", "app.handler"],
    ["bootstrap", "#!/bin/sh", "provided.al2023", "bootstrap"],
  ])("are found where there is one answer: %s", async (name, content, runtime, handler) => {
    expect(await found({ name, content }, { name: "lib/other.py", content: python })).toEqual({
      runtime,
      handler,
    });
  });

  it("are the console's where other files have handlers too", async () => {
    const choice = await found(
      { name: "lambda_function.py", content: python },
      { name: "tools.py", content: python },
    );
    expect(choice.handler).toBe("lambda_function.lambda_handler");
  });

  it("are asked for where there are several, with what was found", async () => {
    const two = found({ name: "a.py", content: python }, { name: "b.py", content: python });
    await expect(two).rejects.toThrow(/a\.lambda_handler, python3\.13 b\.lambda_handler/);
    await expect(found({ name: "readme.txt", content: "" })).rejects.toThrow(
      /contains readme\.txt/,
    );
  });

  it("follow from the handler alone where its file is there", async () => {
    const artefact = await zipped({ name: "pkg/mod.py", content: python });
    const choice = chooseRuntime({ name: "base", handler: "pkg/mod.lambda_handler" }, artefact, {
      ...defaults,
    });
    expect(choice).toEqual({ runtime: "python3.13", handler: "pkg/mod.lambda_handler" });
  });
});

/** The first bytes of a 64-bit little-endian ELF for a machine. */
function elf(machine: number): Buffer {
  const header = Buffer.alloc(64);
  header.write("\x7fELF\x02\x01\x01", "latin1");
  header.writeUInt16LE(machine, 18);
  return header;
}

describe("a bootstrap", () => {
  const bootstrap = (content: string | Buffer, mode = 0o100755) =>
    zipped({ name: "bootstrap", content, mode });

  it("is known by its first bytes", async () => {
    const kinds = [elf(0x3e), elf(0xb7), elf(0x08), "#!/bin/sh\n", "text that is not a program"];
    const read: unknown[] = [];
    for (const content of kinds) {
      const { folder: at } = await bootstrap(content);
      read.push(readExecutable(join(at, "bootstrap")));
    }
    expect(read).toEqual([
      { kind: "elf", architecture: "x86_64" },
      { kind: "elf", architecture: "arm64" },
      { kind: "elf", architecture: "other" },
      { kind: "script" },
      { kind: "other" },
    ]);
  });

  it("is refused where it could not be started: another architecture, not executable, not there", async () => {
    const refused = async (made: ReturnType<typeof bootstrap>) => {
      const artefact = await made;
      return () => requireBootstrap("base", artefact, "x86_64");
    };
    expect(await refused(bootstrap(elf(0xb7)))).toThrow("a binary for arm64");
    expect(await refused(bootstrap(elf(0x3e), 0o100644))).toThrow("not executable");
    expect(await refused(bootstrap("no program"))).toThrow("neither a program nor a script");
    expect(await refused(zipped({ name: "main", content: "x" }))).toThrow(
      "bootstrap: found nothing",
    );
    expect(await refused(bootstrap(elf(0x3e)))).not.toThrow();
  });
});
