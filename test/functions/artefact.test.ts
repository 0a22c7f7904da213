import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { openArtefact, readExecutable, requireNoLinuxCode } from "../../lib/functions/artefact.ts";
import { chooseRuntime, requireBootstrap } from "../../lib/functions/runtime-choice.ts";
import { elfHeader } from "../support/functions-file.ts";
import { makeZip, type ZippedFile } from "../support/make-zip.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const folder = folderPerTest();

let opened = 0;
async function zipped(...files: readonly ZippedFile[]) {
  const path = folder("function.zip");
  writeFileSync(path, makeZip(files));
  opened += 1;
  return await openArtefact(path, folder(`unpacked-${opened}`));
}

const link = (name: string, content: string) => ({ name, content, mode: 0o120777 });

/** Of the only entry, in its own header and in the list. */
function setInHeaders(zip: Buffer, inHeader: number, write: (at: number) => void): Buffer {
  write(zip.indexOf("PK\x03\x04") + inHeader);
  write(zip.indexOf("PK\x01\x02") + inHeader + 2);
  return zip;
}
const setFlag = (zip: Buffer, flag: number) =>
  setInHeaders(zip, 6, (at) => zip.writeUInt16LE(zip.readUInt16LE(at) | flag, at));
const setMethod = (zip: Buffer, method: number) =>
  setInHeaders(zip, 8, (at) => zip.writeUInt16LE(method, at));
const setSize = (zip: Buffer, bytes: number) =>
  setInHeaders(zip, 22, (at) => zip.writeUInt32LE(bytes, at));
function replaced(zip: Buffer, from: string, to: string): Buffer {
  zip.write(to, zip.indexOf(from));
  return zip;
}

const defaults = { python: "python3.13", node: "nodejs22.x" };
const python = "def lambda_handler(event, context):\n    return 1\n";

describe("an artefact", () => {
  it.each([
    "123456789012.dkr.ecr.eu-west-1.amazonaws.com/orders:latest",
    "orders@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  ])("is no container image, and says what is missing: %s", async (image) => {
    await expect(openArtefact(image, folder("image"))).rejects.toThrow(
      /^artefact: found ".*"; allowed: a zip or a folder. Container images are measured on AWS alone, /,
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
    const source = folder("source");
    mkdirSync(join(source, "lib"), { recursive: true });
    writeFileSync(join(source, "lib", "a.txt"), "before");
    const first = await openArtefact(source, folder("copy"));
    writeFileSync(join(source, "lib", "a.txt"), "after");
    expect(readFileSync(join(first.folder, "lib", "a.txt"), "utf8")).toBe("before");
    expect((await openArtefact(source, folder("copy-2"))).sha256).not.toBe(first.sha256);
    expect(first).not.toHaveProperty("zipBytes");
  });

  it.each(["../outside.txt", "/etc/outside.txt", "a/../../outside.txt", "a\\..\\..\\outside.txt"])(
    "writes nothing outside of its folder: %s",
    async (name) => {
      await expect(zipped({ name, content: "x" })).rejects.toThrow(
        /is not a zip that Lambda accepts: /,
      );
      expect(() => statSync(folder("outside.txt"))).toThrow();
    },
  );

  it("keeps links to its own files, and refuses any that leads outside", async () => {
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

  it.each([
    ["is encrypted", (zip: Buffer) => setMethod(setFlag(zip, 1), 8), "a.txt is encrypted"],
    [
      "is compressed by bzip2",
      (zip: Buffer) => setMethod(zip, 12),
      "a.txt is compressed by method 12",
    ],
    ["is damaged", (zip: Buffer) => replaced(zip, "hello", "jello"), "a.txt is damaged"],
    ["is said to be larger than it is", (zip: Buffer) => setSize(zip, 6), "size mismatch"],
  ])("is refused in one sentence, with its name, where an entry %s", async (_, spoil, reason) => {
    const path = folder("spoilt.zip");
    writeFileSync(path, spoil(makeZip([{ name: "a.txt", content: "hello" }])));
    const refused = openArtefact(path, folder("into"));
    await expect(refused).rejects.toThrow(InvalidInput);
    await expect(openArtefact(path, folder("again"))).rejects.toThrow(
      new RegExp(`^${path} is not a zip that Lambda accepts: .*${reason}`),
    );
  });

  it("is refused where a name is in it twice, or is longer than this machine takes", async () => {
    const file = { name: "a.txt", content: "x" };
    await expect(zipped(file, file)).rejects.toThrow("a.txt is in it twice");
    await expect(zipped({ ...file, name: "x".repeat(300) })).rejects.toThrow(
      /is not a zip that Lambda accepts: .*ENAMETOOLONG/,
    );
  });

  it("may have links that lead to each other, or nowhere", async () => {
    const file = { name: "a.txt", content: "x" };
    const { files } = await zipped(file, link("b", "c"), link("c", "b"), link("d", "none"));
    expect(files).toEqual(["a.txt"]);
  });

  it("of a folder has what its links lead to outside, as zip -r does, and keeps the others", async () => {
    mkdirSync(folder("shared", "lib"), { recursive: true });
    writeFileSync(folder("shared", "lib", "index.js"), "shared");
    mkdirSync(folder("app", "node_modules"), { recursive: true });
    symlinkSync("../../shared", folder("app", "node_modules", "shared"));
    writeFileSync(folder("app", "index.js"), "own");
    symlinkSync("index.js", folder("app", "main.js"));
    const opened = await openArtefact(folder("app"), folder("copy"));
    expect(opened.files).toEqual(["index.js", "main.js", "node_modules/shared/lib/index.js"]);
    rmSync(folder("shared"), { recursive: true });
    const copied = join(opened.folder, "node_modules", "shared", "lib", "index.js");
    expect(readFileSync(copied, "utf8")).toBe("shared");
    expect(readlinkSync(join(opened.folder, "main.js"))).toBe("index.js");
  });

  it("of a folder is refused where a link leads to a folder above", async () => {
    mkdirSync(folder("app"));
    symlinkSync("..", folder("app", "up"));
    await expect(openArtefact(folder("app"), folder("copy"))).rejects.toThrow(
      /up -> .*no link to a folder that contains it/,
    );
  });

  it("is refused in words where it is no zip, or is not there", async () => {
    const path = folder("no.zip");
    writeFileSync(path, "no zip at all");
    const into = folder("into");
    await expect(openArtefact(path, into)).rejects.toThrow(
      "is not a zip, or only the beginning of one",
    );
    const missing = openArtefact(folder("none.zip"), into);
    await expect(missing).rejects.toThrow(/^no such file: .*none\.zip$/);
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

  it("are of the Python that the packages were installed for, where they show one", async () => {
    const app = { name: "app.py", content: python };
    const module = (minor: number) => ({
      name: `numpy/core.cpython-3${minor}-x86_64-linux-gnu.so`,
      content: "",
    });
    expect((await found(app, module(12))).runtime).toBe("python3.12");
    expect((await found(app, module(12), module(11))).runtime).toBe("python3.13");
    const inLayer = ["python/lib/python3.11/site-packages/requests/__init__.py"];
    const artefact = await zipped(app);
    expect(chooseRuntime(asked, artefact, defaults, inLayer).runtime).toBe("python3.11");
    const ofExtension = ["watcher/charset.cpython-311-x86_64-linux-gnu.so"];
    expect(chooseRuntime(asked, artefact, defaults, ofExtension).runtime).toBe("python3.13");
    const named = { ...asked, runtime: "python3.14" };
    expect(chooseRuntime(named, artefact, defaults, inLayer).runtime).toBe("python3.14");
  });

  it("are asked for with an example in the artefact's language, and how its project is built", async () => {
    const empty = (name: string) => ({ name, content: "" });
    const app = { name: "app.js", content: "exports.handler = async () => 1;" };
    const other = { ...app, name: "other.js" };
    await expect(found(app, other)).rejects.toThrow("name one, for example --handler app.handler;");
    await expect(found(empty("main.rb"))).rejects.toThrow(/--runtime ruby3\.4 .*on AWS alone/);
    await expect(found(empty("lib/app.jar"))).rejects.toThrow(/--runtime java21 .*on AWS alone/);
    await expect(found(empty("App.dll"))).rejects.toThrow(/--runtime dotnet8 .*on AWS alone/);
    await expect(found(empty("template.yaml"))).rejects.toThrow("run sam build");
    await expect(found(empty("serverless.yml"))).rejects.toThrow("run serverless package");
  });

  it("follow from the handler alone where its file is there", async () => {
    const artefact = await zipped({ name: "pkg/mod.py", content: python });
    const choice = chooseRuntime({ name: "base", handler: "pkg/mod.lambda_handler" }, artefact, {
      ...defaults,
    });
    expect(choice).toEqual({ runtime: "python3.13", handler: "pkg/mod.lambda_handler" });
  });
});

describe("a bootstrap", () => {
  const bootstrap = (content: string | Buffer, mode = 0o100755) =>
    zipped({ name: "bootstrap", content, mode });

  it("is known by its first bytes", async () => {
    const kinds = [
      ...[0x3e, 0xb7, 0x08].map(elfHeader),
      "#!/bin/sh\n",
      "text that is not a program",
    ];
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
    expect(await refused(bootstrap(elfHeader(0xb7)))).toThrow("a binary for arm64");
    expect(await refused(bootstrap(elfHeader(0x3e), 0o100644))).toThrow("not executable");
    expect(await refused(bootstrap("no program"))).toThrow("neither a program nor a script");
    expect(await refused(zipped({ name: "main", content: "x" }))).toThrow(
      "bootstrap: found nothing",
    );
    expect(await refused(bootstrap(elfHeader(0x3e)))).not.toThrow();
  });

  it("of a layer serves a function that has none, and must run here as well", async () => {
    const artefact = await zipped({ name: "main.sh", content: "x" });
    const inLayer = async (made: ReturnType<typeof bootstrap>) => {
      const { folder: layers } = await made;
      return () => requireBootstrap("base", artefact, "x86_64", { layers });
    };
    expect(await inLayer(bootstrap("#!/bin/sh\n"))).not.toThrow();
    expect(await inLayer(bootstrap(elfHeader(0xb7)))).toThrow("a binary for arm64");
  });
});

describe("machine code for Linux", () => {
  it("is refused on another system, in a function or its layers, with where to measure instead", async () => {
    const script = { name: "bootstrap", content: "#!/bin/sh\n" };
    const library = (name: string) => ({ name, content: elfHeader(62) });
    const { folder: plain } = await zipped(script);
    const { folder: one } = await zipped(library("python/fast.so"));
    const { folder: two } = await zipped(library("bootstrap"), library("lib/b.so.1"));
    for (const folders of [[plain, one], [two]]) requireNoLinuxCode("f", folders, "linux");
    requireNoLinuxCode("f", [plain], "darwin");
    const where =
      "which this machine cannot run; measure it on Linux (a virtual machine or a container will do), or on AWS: kelvin measure ARN";
    expect(() => requireNoLinuxCode("f", [plain, one], "darwin")).toThrow(
      `f: python/fast.so is machine code for Linux, ${where}`,
    );
    expect(() => requireNoLinuxCode("f", [two], "darwin")).toThrow(
      `f: bootstrap and 1 more are machine code for Linux, ${where}`,
    );
  });
});
