import { spawn } from "node:child_process";
import { accessSync, constants, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { commandEnvironment } from "../toolchain/command-environment.ts";

/**
 * The kernel deals a group's CPU quota out to its CPUs in slices of this size, one setting for the whole
 * machine: https://docs.kernel.org/scheduler/sched-bwc.html. A slice larger than the quota of a small
 * memory size lets a thread on one CPU hold all of it while a thread on another waits for the next period.
 */
const kernelSetting = "/proc/sys/kernel/sched_cfs_bandwidth_slice_us";

/** Small against the quota of 128 MB, 1.4 ms a period. */
const narrowUs = 100;

interface SliceFiles {
  readonly setting: string;
  /** What the setting was before the first of the runs that hold it narrow; empty where none does. */
  readonly before: string;
}

const kernelFiles: SliceFiles = {
  setting: kernelSetting,
  before: "/run/kelvin-bandwidth-slice",
};

/** The slice in ms as it is now; undefined where this kernel tells none. */
export function readBandwidthSliceMs(setting = kernelSetting): number | undefined {
  try {
    const sliceUs = Number(readFileSync(setting, "utf8"));
    return sliceUs > 0 ? sliceUs / 1000 : undefined;
  } catch {
    return undefined;
  }
}

/** For the first line of a run: what becomes of the slice. */
export function describeSlice(): string {
  const sliceMs = readBandwidthSliceMs();
  if (sliceMs === undefined) return "";
  if (sliceMs * 1000 <= narrowUs) return `; CFS bandwidth slice ${sliceMs} ms`;
  return isWritable(kernelSetting)
    ? `; CFS bandwidth slice ${narrowUs / 1000} ms during the run, ${sliceMs} ms otherwise`
    : `; CFS bandwidth slice ${sliceMs} ms, which only root can change: at small memory sizes, multithreaded functions wait longer than they do on Lambda`;
}

/** A slice that is held narrow. */
interface NarrowSlice {
  restore(): Promise<void>;
}

/**
 * Holds the slice narrow until it is told to put it back, or until this process ends, however it ends:
 * a process of its own waits for the end of its input. Runs at the same time share it: the last one puts
 * back what was there before the first. Undefined where the setting cannot be written.
 */
export async function narrowBandwidthSlice(
  files: SliceFiles = kernelFiles,
): Promise<NarrowSlice | undefined> {
  if (!isWritable(files.setting)) return undefined;
  const holder = spawn(
    "/bin/sh",
    ["-c", holderScript, "sh", files.setting, files.before, `${narrowUs}`],
    {
      env: commandEnvironment("tool"),
      stdio: ["pipe", "pipe", "ignore"],
      // Ctrl-C in a terminal goes to all of its processes, and this one is to outlive the run.
      detached: true,
    },
  );
  const exited = new Promise<void>((resolve) => {
    holder.once("error", () => resolve());
    holder.once("close", () => resolve());
  });
  holder.stdin.on("error", () => undefined);
  const isHeld = await new Promise<boolean>((resolve) => {
    createInterface({ input: holder.stdout }).once("line", () => resolve(true));
    void exited.then(() => resolve(false));
  });
  if (!isHeld) return undefined;
  return {
    restore: async () => {
      holder.stdin.end();
      await exited;
    },
  };
}

/**
 * $1 the setting, $2 the file of what was there before, $3 the slice. Descriptor 9 is locked for as long as
 * this process holds the slice, shared with other holders; 8 lets one of them at a time look and change.
 */
const holderScript = `
trap '' HUP INT TERM
set -e
exec 8>>"$2.lock" 9>>"$2"
flock 8
flock -s 9
before=$(cat "$2")
if [ -z "$before" ]; then before=$(cat "$1"); echo "$before" >&9; fi
echo "$3" > "$1"
flock -u 8
echo held
cat > /dev/null
flock 8
flock -n -x 9 || exit 0
echo "$before" > "$1"
rm "$2" "$2.lock"
`;

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
