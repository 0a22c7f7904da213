import { cpSync } from "node:fs";
import { basename, join } from "node:path";
import { DockerImage, IgnoreMode } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import type { Cell } from "../contract/types/contract.ts";
import type { PythonSource } from "../experiment/experiment.ts";
import { projectPaths } from "../toolchain/project-paths.ts";
import { pythonWheels } from "../toolchain/python-wheels.ts";

/**
 * The variant's package, what all share, and the variant's own wheels where it has a lock: anything
 * else would change the archive's hash and size.
 */
export function pythonCode(
  { handler, requirements }: PythonSource,
  { architecture, runtime }: Pick<Cell, "architecture" | "runtime">,
): Code {
  const packages = ["bench_core", handler.split(".")[0] as string];
  const files = {
    ignoreMode: IgnoreMode.GIT,
    exclude: ["/*", ...packages.map((name) => `!/${name}`), "__pycache__", "*.pyc"],
  };
  if (requirements === undefined) return Code.fromAsset(projectPaths.python, files);
  const python = runtime.replace("python", "");
  const tryBundle = (folder: string) => {
    cpSync(pythonWheels(requirements, { architecture, python }), folder, { recursive: true });
    for (const name of packages) copyPackage(name, folder);
    return true;
  };
  return Code.fromAsset(projectPaths.python, {
    ...files,
    bundling: {
      local: { tryBundle },
      // Never run. CDK tells assets apart by what stands here: two architectures are not one archive.
      image: DockerImage.fromRegistry("scratch"),
      environment: { architecture, python, requirements },
    },
  });
}

function copyPackage(name: string, folder: string): void {
  cpSync(join(projectPaths.python, name), join(folder, name), {
    recursive: true,
    filter: (path) => basename(path) !== "__pycache__" && !path.endsWith(".pyc"),
  });
}
