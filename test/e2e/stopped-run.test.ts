import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import { buildForLocalRun } from "../../lib/toolchain/build-local.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { findPython } from "../../lib/toolchain/python.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { leftovers, manifestIn, samplesIn, start } from "./support/local-run.ts";

const folder = temporaryFolder();
const stopped = join(folder, "stopped");

beforeAll(async () => {
  await buildForLocalRun(experimentById("dynamodb").variants, { services: ["dynamodb"] });
});

describe("a local run that is stopped", () => {
  it("keeps what was measured, ends its children, and says that it is partial", async () => {
    const cells = ["--memory", "512", "--variants", "rust,python", "--cold", "3", "--warm", "24"];
    const { child, ended } = start([...cells, "--idle", "0", "--seed", "7", "--out", stopped]);
    const samplesFolder = join(stopped, "samples");
    while (!existsSync(samplesFolder) || readdirSync(samplesFolder).length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (child.exitCode !== null) throw new Error((await ended).stderr);
    }
    process.kill(-(child.pid as number), "SIGINT");
    const { code, stderr } = await ended;
    expect(code, stderr).toBe(130);
    expect(stderr).toContain("--resume");
    const manifest = manifestIn(stopped);
    expect(manifest.status).toBe("partial");
    expect(manifest.counts.recorded).toBeGreaterThan(0);
    expect(manifest.counts.recorded).toBeLessThan(manifest.counts.planned);
    expect(readFileSync(join(stopped, "report.md"), "utf8")).toMatch(/partial/i);
    expect(leftovers()).toEqual([]);
  });

  it("goes on where it was", async () => {
    const before = await samplesIn(stopped);
    const { code, stderr } = await start(["--resume", stopped]).ended;
    expect(code, stderr).toBe(0);
    const after = new Set((await samplesIn(stopped)).map((sample) => JSON.stringify(sample)));
    expect(before.every((sample) => after.has(JSON.stringify(sample)))).toBe(true);
    expect(manifestIn(stopped).status).toBe("complete");
  });
});

it("Ctrl-C at a terminal, which npm hands on a second time, stops npm run bench once", () => {
  const out = join(folder, "at-a-terminal");
  const sizes = ["--memory", "512", "--cold", "3", "--warm", "24"];
  const words = ["--variants", "rust", ...sizes, "--verbose"];
  const bench = ["npm", "run", "bench", "--", ...words, "--out", out];
  const script = join(projectPaths.root, "test", "support", "press-ctrl-c.py");
  const options = { cwd: projectPaths.root, encoding: "utf8", timeout: 120_000 } as const;
  const pressed = spawnSync(findPython().command, [script, "(block 1, ", ...bench], options);
  expect(pressed.status, pressed.stdout).toBe(130);
  expect(pressed.stdout).toContain("stopped; continue with: npm run bench -- --resume ");
  expect(manifestIn(out).status).toBe("partial");
  expect(readFileSync(join(out, "report.md"), "utf8")).toMatch(/partial/i);
});
