import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";

function kelvin(...args: readonly string[]): string {
  const command = ["--import", "tsx", "bin/kelvin.ts", ...args];
  return execFileSync(process.execPath, command, { cwd: projectPaths.root, encoding: "utf8" });
}

describe("the command line", () => {
  it("teaches by --help: options, examples, exit codes", () => {
    const help = kelvin("local", "--help");
    const options = ["experiment", "memory", "variants", "cold", "warm", "preset", "seed", "out"];
    for (const option of [...options, "json", "resume"]) expect(help).toContain(`--${option}`);
    expect(help).toContain("Examples");
    expect(help).toContain("Exit codes");
  });

  it("prints a plan with its price, and no account is asked", () => {
    const text = kelvin("plan", "--memory", "128,512");
    expect(text).toMatch(/^cells +7: rust, rust-tuned, python x 128, 512 MB x arm64/m);
    expect(text).toMatch(
      /^cost +about \d+\.\d\d USD at the prices of \d{4}-\d\d-\d\d in us-east-1/m,
    );
    expect(text).toMatch(/^transitions +\d+/m);
  });

  it("prints a plan for scripts as JSON", () => {
    const plan = JSON.parse(kelvin("plan", "--json", "--cold", "6", "--warm", "24"));
    expect(plan.sizes).toMatchObject({ environments: 6, warmCalls: 4 });
    expect(plan.estimate.invocations).toBe(19 * 6 * (2 + 4 * 4));
  });
});
