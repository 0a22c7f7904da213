import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { projectPaths } from "../../../lib/toolchain/project-paths.ts";
import { type PythonVenv, preparePythonVenv } from "../../../lib/toolchain/python-venv.ts";

const venv: PythonVenv = {
  folder: join(projectPaths.root, ".venv-cfn-lint"),
  locks: [join(import.meta.dirname, "requirements.txt")],
};

/** What is not to be reported, and why. */
export const ignoredRules: Readonly<Record<string, string>> = {
  W3005:
    "CDK has a function wait for its role's policies, and for the role itself, to which it refers anyway",
};

export async function prepareCfnLint(): Promise<void> {
  await preparePythonVenv({}, venv);
}

/** cfn-lint's warnings and errors for a template in any region, one a line. */
export function lintTemplate(
  template: object,
  ignored: readonly string[] = Object.keys(ignoredRules),
): string {
  const rules = ignored.length === 0 ? [] : ["--ignore-checks", ...ignored];
  const options = ["--format", "parseable", "--regions", "ALL_REGIONS", ...rules];
  const input = JSON.stringify(template, null, 2);
  const ended = spawnSync(join(venv.folder, "bin", "cfn-lint"), options, {
    input,
    encoding: "utf8",
  });
  if (ended.error !== undefined) throw ended.error;
  return `${ended.stdout}${ended.stderr}`.trim();
}
