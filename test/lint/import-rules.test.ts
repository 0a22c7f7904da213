import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");

/** Whether Biome refuses this import in a file at this path. */
function refuses(file: string, specifier: string): boolean {
  const biome = join(root, "node_modules", ".bin", "biome");
  const { stdout, stderr } = spawnSync(biome, ["lint", `--stdin-file-path=${file}`], {
    cwd: root,
    encoding: "utf8",
    input: `import * as probe from "${specifier}";\nexport const seen = probe;\n`,
  });
  return `${stdout}${stderr}`.includes("noRestrictedImports");
}

const refused: readonly (readonly [string, string])[] = [
  ["lib/contract/probe.ts", "../experiment/catalogue.ts"],
  ["lib/statistics/probe.ts", "../cost/estimate.ts"],
  ["lib/report/view/probe.ts", "../../aws/clients.ts"],
  ["lib/cost/probe.ts", "node:fs"],
  ["lib/protocol/probe.ts", "@aws-sdk/client-s3"],
  ["lib/telemetry/probe.ts", "../../bin/app.ts"],
  ["lib/experiment/probe.ts", "constructs"],
  ["lib/aws/probe.ts", "../report/render-report.ts"],
  ["lib/local/probe.ts", "../infra/kelvin-stack.ts"],
  ["lib/infra/probe.ts", "../../lambdas/driver/plan.ts"],
  ["lib/toolchain/probe.ts", "../local/machine.ts"],
  ["lambdas/driver/probe.ts", "../../lib/local/machine.ts"],
];

const allowed: readonly (readonly [string, string])[] = [
  ["lib/report/probe.ts", "../cost/estimate.ts"],
  ["lib/aws/probe.ts", "../protocol/target.ts"],
  ["lib/local/probe.ts", "../toolchain/project-paths.ts"],
  ["lambdas/driver/probe.ts", "../../lib/report/render-report.ts"],
  ["bin/probe.ts", "../lib/infra/kelvin-stack.ts"],
];

describe("the rooms", () => {
  it.each(refused)("%s may not import %s", (file, specifier) => {
    expect(refuses(file, specifier)).toBe(true);
  });

  it.each(allowed)("%s may import %s", (file, specifier) => {
    expect(refuses(file, specifier)).toBe(false);
  });
});
