import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { preparePythonVenv } from "../../lib/toolchain/python.ts";
import { makeZip } from "../support/make-zip.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startKelvin } from "./support/kelvin-process.ts";
import { expectSound, manifestIn, samplesIn } from "./support/local-run.ts";
import { pathWithoutRust } from "./support/path-without-rust.ts";

// Runs on macOS too, where the mask changes nothing.

const folder = temporaryFolder();
const environment = {
  PATH: pathWithoutRust(),
  NODE_OPTIONS: "--import tsx --import ./test/support/as-macos.ts",
};

/** The folders beside the runtime client in the repository are no packages of the function's. */
const python = `import importlib.util, shown
def lambda_handler(event, context):
    isInTime = 0 < context.get_remaining_time_in_millis() <= 30_000
    foreign = [name for name in ["bench_core", "compute"] if importlib.util.find_spec(name)]
    return {"isInTime": isInTime, "shown": shown.value, "foreign": foreign}
`;
const node = "export const handler = async () => ({ isInTime: true, shown: 7, foreign: [] });";

/** Writes an archive; returns its path. */
function write(name: string, entry: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, makeZip([{ name: entry, content: content.toString("latin1") }]));
  return path;
}

/** Runs a command with few calls, called back to back. */
async function ended(...words: readonly string[]) {
  const few = ["--memory", "1769", "--cold", "2", "--warm", "4", "--idle", "0"];
  return await startKelvin([...words, ...few], environment).ended;
}

async function expectWhole(out: string, { code, stderr }: Awaited<ReturnType<typeof ended>>) {
  expect(code, stderr).toBe(0);
  expect(stderr.split("\n")[0]).toContain("memory sizes are not limited");
  const manifest = manifestIn(out);
  expectSound({ manifest, samples: await samplesIn(out), stderr });
  expect(manifest.machine).toMatchObject({ cpuQuota: "unthrottled", memoryLimit: "unlimited" });
}

beforeAll(() => preparePythonVenv());

describe("on a machine without /proc, /sys and Linux's programs, such as macOS", () => {
  it("a Python function with a layer and a Node.js function are measured", async () => {
    const functions = [
      write("python.zip", "lambda_function.py", python),
      write("node.zip", "index.mjs", node),
    ];
    const layer = write("layer.zip", "python/shown.py", "value = 7\n");
    const out = join(folder, "measure");
    const answer = '{"isInTime":true,"shown":7,"foreign":[]}';
    const words = [...functions, "--layer", layer, "--expect", answer, "--any-version"];
    await expectWhole(out, await ended("measure", ...words, "--out", out));
  });

  it("the Python of an experiment is measured", async () => {
    const out = join(folder, "bench");
    const words = ["--experiment", "compute", "--variants", "python", "--out", out];
    await expectWhole(out, await ended("local", ...words));
  });

  it("a function with machine code of Linux is refused before anything is measured", async () => {
    const library = write("wheel.zip", "fast.cpython-313-x86_64-linux-gnu.so", "\x7fELF");
    const words = [library, "--handler", "fast.handler", "--runtime", "python3.13"];
    const { code, stderr } = await ended("measure", ...words, "--out", join(folder, "refused"));
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^kelvin: wheel: fast\.\S+ is machine code for Linux, .*kelvin measure ARN\n$/,
    );
  });
});
