import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectPaths } from "../../../lib/toolchain/project-paths.ts";
import { type PythonVenv, preparePythonVenv, pythonPath } from "../../../lib/toolchain/python.ts";

const venv: PythonVenv = {
  folder: join(projectPaths.root, ".venv-cfn-lint"),
  locks: [join(import.meta.dirname, "requirements.txt")],
  isCompiledLater: true,
};

/** Rules that are not reported, with the reason. */
export const ignoredRules: Readonly<Record<string, string>> = {
  W3005:
    "CDK has a function wait for its role's policies, and for the role itself, to which it refers anyway",
};

export async function prepareCfnLint(): Promise<void> {
  await preparePythonVenv({}, venv);
}

/** A warning or an error of cfn-lint in one template. */
export interface Finding {
  readonly rule: string;
  readonly line: string;
}

/** Returns the findings for templates by name, in any region. One process checks all, since its start takes seconds. */
export function lintTemplates(
  templates: ReadonlyMap<string, object>,
): ReadonlyMap<string, readonly Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), "kelvin-cfn-lint-"));
  try {
    const names = [...templates.keys()];
    const paths = names.map((_, index) => join(folder, `${index}.json`));
    for (const [index, template] of [...templates.values()].entries()) {
      writeFileSync(paths[index] ?? "", JSON.stringify(template, null, 2));
    }
    const lines = linesOf(paths);
    return new Map(names.map((name, index) => [name, findingsOf(lines, paths[index] ?? "")]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Throws if a line of the output is not a finding in one of the files. */
function linesOf(paths: readonly string[]): readonly string[] {
  const program = join(import.meta.dirname, "lint.py");
  const options = ["--format", "parseable", "--regions", "ALL_REGIONS", "--"];
  const { error, stdout, stderr } = spawnSync(pythonPath(venv), [program, ...options, ...paths], {
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  const lines = `${stdout}${stderr}`.split("\n").filter((line) => line !== "");
  const strange = lines.find((line) => !paths.some((path) => line.startsWith(`${path}:`)));
  if (strange !== undefined) throw new Error(`cfn-lint: ${strange}\n${stderr}`);
  return lines;
}

function findingsOf(lines: readonly string[], path: string): readonly Finding[] {
  const own = lines.filter((line) => line.startsWith(`${path}:`));
  return own.map((line) => ({ line, rule: /:([EWI]\d{4}):/.exec(line)?.[1] ?? "" }));
}
