import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Architecture } from "../../../lib/plan/experiment.ts";
import { projectPaths } from "../../../lib/toolchain/project-paths.ts";
import { runCommand } from "../../../lib/toolchain/run-command.ts";

/** A measured function as it would be deployed. */
export interface SynthesisedFunction {
  readonly experimentId: string;
  readonly cellId: string;
  readonly architecture: Architecture;
  /** The folder that becomes its archive. */
  readonly asset: string;
}

interface FunctionResource {
  readonly Type: string;
  readonly Metadata?: Readonly<Record<string, string>>;
  readonly Properties?: { readonly Architectures?: readonly [Architecture] };
}

/** `npx cdk synth` of the app as it is, with the functions built; returns what it printed. */
export async function synth(folder: string, context: readonly string[]): Promise<string> {
  const lines: string[] = [];
  await runCommand("npx", ["cdk", "synth", "--quiet", "--output", folder, ...context], {
    cwd: projectPaths.root,
    env: { ...process.env, CDK_DISABLE_VERSION_CHECK: "1", CDK_DISABLE_CLI_TELEMETRY: "true" },
    onLine: (line) => lines.push(line),
  });
  return lines.join("\n");
}

/** The measured functions of an assembly: those right below their experiment in the tree. */
export function synthesisedFunctions(folder: string): readonly SynthesisedFunction[] {
  const template = JSON.parse(readFileSync(join(folder, "Kelvin.template.json"), "utf8"));
  const resources = Object.values(template.Resources as Record<string, FunctionResource>);
  return resources.flatMap(({ Type, Metadata, Properties }) => {
    const { "aws:cdk:path": path = "", "aws:asset:path": asset } = Metadata ?? {};
    const [, experimentId, cellId] = /^Kelvin\/([^/]+)\/([^/]+)\/Resource$/.exec(path) ?? [];
    const architecture = Properties?.Architectures?.[0];
    if (Type !== "AWS::Lambda::Function" || asset === undefined) return [];
    if (experimentId === undefined || cellId === undefined || architecture === undefined) return [];
    return [{ experimentId, cellId, architecture, asset: join(folder, asset) }];
  });
}
