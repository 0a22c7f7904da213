import type { PythonSource } from "../experiment/experiment.ts";
import { versionOf } from "./find-python.ts";
import { venvPython } from "./python-venv.ts";
import { pythonWheels, type WheelTarget } from "./python-wheels.ts";
import { localTarget } from "./rust-build.ts";

/** The packages of a variant for this machine's Python; undefined where it has none of its own. */
export function localWheels({ requirements }: PythonSource): string | undefined {
  return requirements === undefined ? undefined : pythonWheels(requirements, wheelTarget());
}

/** On Linux the very wheels that the stack deploys, where the Python is Lambda's. */
function wheelTarget(): WheelTarget {
  if (localTarget === "this machine") return localTarget;
  const [major, minor] = (versionOf(venvPython) ?? "3.13").split(".");
  return { architecture: localTarget, python: `${major}.${minor}` };
}
