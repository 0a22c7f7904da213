import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");

const refused: readonly (readonly [string, string])[] = [
  ["lib/contract", "../experiment/catalogue.ts"],
  ["lib/statistics", "../cost/estimate.ts"],
  ["lib/report/view", "../../aws/clients.ts"],
  ["lib/cost", "node:fs"],
  ["lib/protocol", "@aws-sdk/client-s3"],
  ["lib/telemetry", "../../bin/app.ts"],
  ["lib/experiment", "constructs"],
  ["lib/import", "../protocol/result-store.ts"],
  ["lib/import", "node:fs"],
  ["lib/telemetry", "../import/source.ts"],
  ["lib/report", "../files/plain-file.ts"],
  ["lib/files", "../local/machine.ts"],
  ["lib/aws", "../report/render-report.ts"],
  ["lib/local", "../infra/kelvin-stack.ts"],
  ["lib/infra", "../../lambdas/driver/plan.ts"],
  ["lib/toolchain", "../local/machine.ts"],
  ["lambdas/driver", "../../lib/local/machine.ts"],
];

const allowed: readonly (readonly [string, string])[] = [
  ["lib/report", "../cost/estimate.ts"],
  ["lib/import", "../telemetry/parse-report.ts"],
  ["lib/aws", "../protocol/target.ts"],
  ["lib/aws", "../files/plain-file.ts"],
  ["lib/local", "../toolchain/project-paths.ts"],
  ["lib/infra", "../toolchain/project-paths.ts"],
  ["lambdas/driver", "../../lib/report/render-report.ts"],
  ["bin", "../lib/infra/kelvin-stack.ts"],
];

const probes = [...refused, ...allowed].map(([room, specifier], index) => ({
  file: `${room}/probe-${index}.ts`,
  specifier,
}));

/** The probes that the project's linter refuses, in a tree of their own. */
function refusedProbes(): readonly string[] {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kelvin-lint-")));
  try {
    const {
      $schema: _,
      vcs: __,
      ...configuration
    } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
    writeFileSync(join(directory, "biome.json"), JSON.stringify(configuration));
    for (const { file, specifier } of probes) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      const text = `import * as probe from "${specifier}";\nexport const seen = probe;\n`;
      writeFileSync(join(directory, file), text);
    }
    const biome = join(root, "node_modules", ".bin", "biome");
    const options = { cwd: directory, encoding: "utf8" } as const;
    const { stdout } = spawnSync(biome, ["lint", "--reporter=github", "."], options);
    const found = stdout.matchAll(/title=lint\/style\/noRestrictedImports,file=([^,]+),/g);
    return [...found].map((match) => relative(directory, match[1] as string));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe("the linter", () => {
  it("refuses imports that go against the rooms' rule, and no others", () => {
    const expected = probes.slice(0, refused.length).map(({ file }) => file);
    expect([...refusedProbes()].sort()).toEqual([...expected].sort());
  });
});
