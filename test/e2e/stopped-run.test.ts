import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import { buildForLocalRun } from "../../lib/toolchain/build-local.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { findPython } from "../../lib/toolchain/python.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { leftovers, manifestIn, marks } from "./support/local-run.ts";

const out = join(temporaryFolder(), "at-a-terminal");

beforeAll(async () => {
  await buildForLocalRun(experimentById("dynamodb").variants, { services: ["dynamodb"] });
});

it("Ctrl-C at a terminal, which npm hands on a second time, stops npm run bench once: it keeps what was measured, ends its children, and says that it is partial", () => {
  const sizes = ["--memory", "512", "--cold", "3", "--warm", "24"];
  const words = ["--variants", "rust,python", ...sizes, "--verbose"];
  const bench = [...marks, "npm", "run", "bench", "--", ...words, "--out", out];
  const script = join(projectPaths.root, "test", "support", "press-ctrl-c.py");
  const options = { cwd: projectPaths.root, encoding: "utf8", timeout: 120_000 } as const;
  const pressed = spawnSync(findPython().command, [script, "(block 1, ", ...bench], options);
  expect(pressed.status, pressed.stdout).toBe(130);
  expect(pressed.stdout).toContain("stopped; continue with: npm run bench -- --resume ");
  const { status, counts } = manifestIn(out);
  expect(status).toBe("partial");
  expect(counts.recorded).toBeGreaterThan(0);
  expect(counts.recorded).toBeLessThan(counts.planned);
  expect(readFileSync(join(out, "report.md"), "utf8")).toMatch(/partial/i);
  expect(leftovers()).toEqual([]);
});
