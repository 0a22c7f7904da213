import { execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { createInterface } from "node:readline";
import { memoryMbPerVcpu } from "../contract/cpu-credit.ts";
import { kernelText } from "../files/kernel-files.ts";
import { commandEnvironment } from "../toolchain/command-environment.ts";
import { isInContainer } from "./process-identity.ts";

/**
 * The kernel hands a group's CPU quota to its CPUs in slices of this size, one setting for the whole machine:
 * https://docs.kernel.org/scheduler/sched-bwc.html. If a slice is larger than the quota of a small memory size, a
 * thread on one CPU can hold the whole quota while a thread on another CPU waits for the next period.
 */
export const kernelSetting = "/proc/sys/kernel/sched_cfs_bandwidth_slice_us";

/** `narrowUs` is small compared with the quota at 128 MB: 1.4 ms per period. */
const narrowUs = 100;

interface SliceFiles {
  readonly setting: string;
  /** File with the setting's value before the first of the current runs narrowed it; empty if no run does. */
  readonly before: string;
}

const kernelFiles: SliceFiles = {
  setting: kernelSetting,
  before: "/run/kelvin-bandwidth-slice",
};

/** Returns the current slice in ms; undefined if this kernel does not report it. */
export function readBandwidthSliceMs(setting = kernelSetting): number | undefined {
  const sliceUs = Number(kernelText(setting));
  return sliceUs > 0 ? sliceUs / 1000 : undefined;
}

/**
 * A SliceRemedy keeps the slice from distorting measurements: the run narrows the slice (as root); or, if it may not,
 * each function stays on one CPU; or nothing is done.
 */
type SliceRemedy = "narrow" | "one CPU" | "none";

/** @param isContained whether this is a container: if it is killed, nothing is left to restore the setting */
export function chooseSliceRemedy(
  setting = kernelSetting,
  isContained = isInContainer(),
): SliceRemedy | undefined {
  const sliceMs = readBandwidthSliceMs(setting);
  if (sliceMs === undefined || sliceMs * 1000 <= narrowUs) return undefined;
  if (isWritable(setting) && !isContained) return "narrow";
  return hasTaskset() ? "one CPU" : "none";
}

/** Returns the part of a run's first line that says what is done about the slice. */
export function describeSlice(setting = kernelSetting, isContained = isInContainer()): string {
  const sliceMs = readBandwidthSliceMs(setting);
  if (sliceMs === undefined) return "";
  const slice = `; CFS bandwidth slice ${sliceMs} ms`;
  const why = isContained
    ? "the whole machine's, which a container that may be ended does not change"
    : "which only root can change";
  switch (chooseSliceRemedy(setting, isContained)) {
    case "narrow":
      return `; CFS bandwidth slice ${narrowUs / 1000} ms during the run, ${sliceMs} ms otherwise`;
    case "one CPU":
      return `${slice}, ${why}: after Init, a function of up to ${memoryMbPerVcpu} MB stays on one CPU`;
    case "none":
      return `${slice}, ${why}: at small memory sizes, multithreaded functions wait longer than they do on Lambda (with taskset, which is part of util-linux, they would not)`;
    case undefined:
      return slice;
  }
}

function hasTaskset(): boolean {
  try {
    taskset(["-p", `${process.pid}`]);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the CPUs that this process may use; none if the system does not report them:
 * https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */
export function allowedCpus(): readonly number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(kernelText("/proc/self/status"))?.[1];
  return list === undefined ? [] : expandCpuList(list);
}

/** Parses a CPU list: "0-2,5" is 0, 1, 2 and 5. */
export function expandCpuList(text: string): readonly number[] {
  return text.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.trim().split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/**
 * Pins processes and all their threads, present and future, to one CPU, chosen at random on each call, so that no
 * thread waits for quota that another CPU holds. Their runtimes counted the CPUs before, during Init. Throws if a
 * process that still exists cannot be pinned.
 */
export function holdToOneCpu(processes: () => readonly number[]): void {
  const cpus = allowedCpus();
  const cpu = cpus[randomInt(cpus.length || 1)] ?? 0;
  for (const pid of processes()) {
    try {
      taskset(["-a", "-c", "-p", `${cpu}`, `${pid}`]);
    } catch (error) {
      if (processes().includes(pid)) throw error;
    }
  }
}

/** https://man7.org/linux/man-pages/man1/taskset.1.html */
function taskset(args: readonly string[]): string {
  return execFileSync("taskset", args, {
    encoding: "utf8",
    stdio: "pipe",
    env: commandEnvironment("tool"),
  });
}

interface NarrowSlice {
  restore(): Promise<void>;
}

/**
 * Narrows the slice until `restore` is called or this process ends, however it ends: a child process holds it until
 * its standard input closes, and is replaced if it is killed. Concurrent runs share the setting; the last one
 * restores the original value. Undefined if the setting cannot be written.
 */
export async function narrowBandwidthSlice(
  files: SliceFiles = kernelFiles,
): Promise<NarrowSlice | undefined> {
  let isOver = false;
  let holder = await startHolder(files);
  if (holder === undefined) return undefined;
  const keep = async (): Promise<void> => {
    while (holder !== undefined) {
      if (isOver) holder.release();
      await holder.exited;
      if (isOver) return;
      holder = await startHolder(files);
    }
  };
  const kept = keep();
  return {
    restore: async () => {
      isOver = true;
      holder?.release();
      await kept;
    },
  };
}

/** Returns the slice in ms that a killed run did not restore; undefined if there is none or a run holds the slice. */
export function leftSliceMs(files: SliceFiles = kernelFiles): number | undefined {
  const sliceMs = readBandwidthSliceMs(files.setting);
  if (sliceMs === undefined || sliceMs * 1000 > narrowUs) return undefined;
  const before = kernelText(files.before).trim();
  if (before !== "" && isLocked(files.before)) return undefined;
  return before === "" ? kernelDefaultMs : Number(before) / 1000;
}

/** https://docs.kernel.org/scheduler/sched-bwc.html */
const kernelDefaultMs = 5;

function isLocked(path: string): boolean {
  try {
    const env = commandEnvironment("tool");
    execFileSync("flock", ["-n", "-x", path, "true"], { stdio: "ignore", env });
    return false;
  } catch {
    return true;
  }
}

interface Holder {
  readonly exited: Promise<void>;
  /** Makes the holder restore the setting and exit. */
  release(): void;
}

async function startHolder(files: SliceFiles): Promise<Holder | undefined> {
  if (!isWritable(files.setting)) return undefined;
  const holder = spawn(
    "/bin/sh",
    ["-c", holderScript, "sh", files.setting, files.before, `${narrowUs}`],
    {
      env: commandEnvironment("tool"),
      stdio: ["pipe", "pipe", "ignore"],
      // Ctrl-C in a terminal reaches all processes of its group, and the holder must outlive the run.
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
  return { exited, release: () => void holder.stdin.end() };
}

/**
 * $1 is the setting, $2 the file with the original value, $3 the slice. The process keeps a shared lock on descriptor
 * 9 while it holds the slice. Descriptor 8 is an exclusive lock for reading and changing the setting.
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
