import { spawnSync } from "node:child_process";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import type { Step } from "./step.ts";

/** Always the same, because what is compiled of the tests is kept by its path. */
const folder = "/tmp/kelvin-clone";

/**
 * $1 is this clone, $2 the folder below /tmp. Only this step's processes see the mounts, which end with them.
 * cargo-lambda keeps the path by which it was found on PATH in what it builds, so that one is this clone's: otherwise
 * everything would be built a second time. https://github.com/rust-cross/cargo-zigbuild/issues/318
 */
const mounted = `
set -e
clone=$1
place=$2
shift 2
mkdir -p "$place"
mount -n -t tmpfs -o mode=755 none "$place"
mkdir "$place/kelvin" "$place/bin"
ln -s "$clone"/.venv/bin/* "$place/bin"
cp -a --remove-destination "$clone"/.venv/bin/python* "$place/bin"
mount -n --bind "$clone" "$place/kelvin"
mount -n --bind "$place/bin" "$place/kelvin/.venv/bin"
cd "$place/kelvin"
exec "$@"
`;

/**
 * Returns the step as it runs from a clone below /tmp: this one, which it finds there. If this machine cannot mount
 * it, the step runs from where this clone is, and its name says why.
 */
export function belowTmp(step: Step): Step {
  if (projectPaths.root.startsWith("/tmp/")) return step;
  const why = whyNotMounted();
  if (why !== undefined) return { ...step, name: `${step.name}, not below /tmp: ${why}` };
  const script = ["--mount", "--propagation", "private", "/bin/sh", "-c", mounted, "sh"];
  return {
    ...step,
    name: `${step.name}, below /tmp`,
    command: "unshare",
    args: [...script, projectPaths.root, folder, step.command, ...step.args],
  };
}

function whyNotMounted(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    return "only root on Linux may mount a clone there";
  }
  const trial = ["--mount", "--propagation", "private", "mount", "-t", "tmpfs", "none", "/mnt"];
  const { status, stderr, error } = spawnSync("unshare", trial, { encoding: "utf8" });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}
