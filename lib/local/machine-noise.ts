import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { NoiseInterval, SpeedProbe } from "../contract/types/contract.ts";
import { kernelNames, kernelText } from "../files/kernel-files.ts";

/** The kernel reports user-space CPU time in hundredths of a second (USER_HZ). */
const tickMs = 10;

/** A CpuReading holds the machine's CPU counters at one moment, in ms. */
interface CpuReading {
  /** Monotonic clock. */
  readonly atMs: number;
  readonly busyMs: number;
  readonly stolenMs: number;
  /** CPU time of this process and all its descendants, including those that have ended. */
  readonly ownMs: number;
  /** Absent if the kernel has no pressure stall information. */
  readonly waitingMs?: number;
  readonly load?: number;
}

interface ReadingOptions {
  /** @default "/proc" */
  readonly proc?: string;
  readonly pid?: number;
  readonly nowMs?: () => number;
}

/** readCpu reads the current counters; undefined if there are none, as on systems other than Linux. */
export function readCpu({
  proc = "/proc",
  pid = process.pid,
  nowMs = () => performance.now(),
}: ReadingOptions = {}): CpuReading | undefined {
  const [user, nice, system, , , irq, softirq, steal = 0] =
    /^cpu +(.*)$/m
      .exec(kernelText(join(proc, "stat")))?.[1]
      ?.split(" ")
      .map(Number) ?? [];
  const busy = [user, nice, system, irq, softirq];
  // A sandbox may show a file of zeros.
  const busyTicks = busy.reduce((sum: number, ticks) => sum + (ticks ?? Number.NaN), 0);
  const ownMs = ownCpuMs(proc, pid);
  if (!(busyTicks > 0) || ownMs === undefined) return undefined;
  const waitingUs = /^some .*total=(\d+)/m.exec(kernelText(join(proc, "pressure", "cpu")))?.[1];
  const load = Number.parseFloat(kernelText(join(proc, "loadavg")));
  return {
    atMs: nowMs(),
    busyMs: busyTicks * tickMs,
    stolenMs: steal * tickMs,
    ownMs,
    ...(waitingUs !== undefined && { waitingMs: Number(waitingUs) / 1000 }),
    ...(Number.isFinite(load) && { load }),
  };
}

/**
 * Returns the CPU time of a process and its descendants. The time of an ended process is in the counters of the
 * process that waited for it (cutime and cstime): https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
function ownCpuMs(proc: string, pid: number): number | undefined {
  const known = new Map(
    kernelNames(proc).flatMap((name) => {
      const process = /^\d+$/.test(name) ? readProcess(join(proc, name)) : undefined;
      return process === undefined ? [] : [[Number(name), process] as const];
    }),
  );
  if (!known.has(pid)) return undefined;
  const isOwn = (id: number, depth = 0): boolean => {
    if (id === pid) return true;
    const parent = known.get(id)?.parent;
    return parent !== undefined && parent > 0 && depth < known.size && isOwn(parent, depth + 1);
  };
  const own = [...known].filter(([id]) => isOwn(id));
  return own.reduce((sum, [, { ticks }]) => sum + ticks * tickMs, 0);
}

function readProcess(folder: string) {
  const text = kernelText(join(folder, "stat"));
  // The name, in parentheses, may contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [parent, ...times] = [fields[1], ...fields.slice(11, 15)].map(Number);
  const ticks = times.reduce((sum, each) => sum + each, 0);
  return parent === undefined || !Number.isFinite(ticks) ? undefined : { parent, ticks };
}

/** Returns what other processes did between two readings. */
export function noiseBetween(
  before: CpuReading,
  after: CpuReading,
): Omit<NoiseInterval, "block" | "speed"> {
  const spanMs = after.atMs - before.atMs;
  const used = (ms: (reading: CpuReading) => number) =>
    Math.max(0, (ms(after) - ms(before)) / spanMs);
  const waiting =
    before.waitingMs === undefined || after.waitingMs === undefined
      ? undefined
      : Math.min(1, Math.max(0, (after.waitingMs - before.waitingMs) / spanMs));
  return {
    seconds: spanMs / 1000,
    otherCpus: used(({ busyMs, ownMs }) => busyMs - ownMs),
    stolenCpus: used(({ stolenMs }) => stolenMs),
    ...(waiting !== undefined && { waitingShare: waiting }),
    ...(after.load !== undefined && { load: after.load }),
  };
}

/** Counters in hundredths of a second are too coarse for a shorter interval. */
const shortestMs = 200;

interface MeterOptions {
  /** Intervals from an earlier execution of the run. @default none */
  readonly earlier?: readonly NoiseInterval[];
  /** Measures the machine's speed after each block, outside the intervals. @default speed is not measured */
  readonly probe?: () => SpeedProbe;
  readonly read?: () => CpuReading | undefined;
}

/** A NoiseMeter records, block by block, the other load on the machine and the machine's speed. */
export class NoiseMeter {
  readonly #read: () => CpuReading | undefined;
  readonly #probe: (() => SpeedProbe) | undefined;
  readonly #intervals: NoiseInterval[] = [];
  #last: CpuReading | undefined;

  constructor({ earlier = [], probe, read = readCpu }: MeterOptions = {}) {
    this.#intervals.push(...earlier);
    this.#probe = probe;
    this.#read = read;
    this.#last = read();
  }

  /** Ends the interval of a block. An interval too short for the counters is merged into the next one. */
  endBlock(block: number): void {
    const last = this.#last;
    const now = this.#read();
    if (now === undefined) return;
    if (last === undefined) {
      this.#last = now;
      return;
    }
    if (now.atMs - last.atMs < shortestMs) return;
    const speed = this.#probe?.();
    this.#intervals.push({ block, ...noiseBetween(last, now), ...(speed && { speed }) });
    this.#last = speed === undefined ? now : this.#read();
  }

  get intervals(): readonly NoiseInterval[] {
    return this.#intervals;
  }
}

interface QuietOptions {
  /** Returns whether the other load is low enough. */
  readonly isQuiet: (noise: Pick<NoiseInterval, "otherCpus" | "stolenCpus">) => boolean;
  /** Longest wait. */
  readonly seconds: number;
  readonly signal?: AbortSignal;
  /** Called after each reading that finds the machine busy. */
  readonly onBusy: (noise: Omit<NoiseInterval, "block">) => void;
  readonly read?: () => CpuReading | undefined;
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

const lookMs = 2000;
/** Number of consecutive quiet readings required: a machine counts as quiet after 10 s. */
const quietLooks = 5;

/**
 * Waits until the machine is quiet or the time is over; returns whether it is quiet, and the seconds waited. Undefined
 * if the system does not report what other processes do.
 */
export async function waitForQuiet({
  isQuiet,
  seconds,
  signal,
  onBusy,
  read = readCpu,
  wait = (ms, cut) => delay(ms, undefined, cut && { signal: cut }).catch(() => undefined),
}: QuietOptions): Promise<{ readonly isQuiet: boolean; readonly seconds: number } | undefined> {
  const first = read();
  if (first === undefined) return undefined;
  let last = first;
  let inRow = 0;
  const spent = () => (last.atMs - first.atMs) / 1000;
  while (inRow < quietLooks && spent() < seconds && signal?.aborted !== true) {
    await wait(lookMs, signal);
    const now = read();
    if (now === undefined || now.atMs <= last.atMs) break;
    const noise = noiseBetween(last, now);
    inRow = isQuiet(noise) ? inRow + 1 : 0;
    if (inRow === 0) onBusy(noise);
    last = now;
  }
  return { isQuiet: inRow >= quietLooks, seconds: spent() };
}
