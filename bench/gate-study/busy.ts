import type { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { uniform } from "../interval-study/populations.ts";
import type { StudyOptions } from "../interval-study/simulated.ts";
import { line, percent } from "../interval-study/study-table.ts";
import { calledSlower, type Load } from "./study.ts";

// Simulates how other work on a machine with two CPUs affects times and a gate, by the share of the CPUs that it
// takes.

/** A machine of two CPUs. */
interface SharedMachine {
  readonly label: string;
  /** Speed of a process that competes with this many others; 1 without any. */
  readonly speed: (others: number) => number;
}

/** Speed of a hardware thread while its core's other thread is busy. Our choice: processors differ. */
const besideThread = 0.65;

export const sharedMachines: readonly SharedMachine[] = [
  { label: "two cores", speed: (others) => Math.min(1, 2 / (others + 1)) },
  {
    label: "two threads of a core",
    speed: (others) => (others === 0 ? 1 : besideThread * Math.min(1, 2 / (others + 1))),
  },
];

/** Number of other processes. Each is busy, or idle, for about five environments at a time. */
const others = 4;
const changes = 1 / 5;

/** Average shares of the machine's CPUs that the others take. */
export const takenShares = [0, 0.05, 0.1, 0.2, 0.4, 0.8] as const;

const environments = 9;
const busySlowdowns = [1, 1.1, 1.67] as const;

export const busyHead: readonly string[] = [
  "| the others take | machine | mean times longer by | same build: slower | 10% slower: slower | 67% slower: slower |",
  "| --: | --- | --: | --: | --: | --: |",
];

/** One row per share and machine, as they are computed. */
export function* busyRows(options: StudyOptions): Generator<string> {
  for (const share of takenShares) {
    for (const machine of sharedMachines) yield busyText(share, machine, options);
  }
}

export function busyText(share: number, machine: SharedMachine, options: StudyOptions): string {
  const active = activeShare(share);
  const load = loadOf(machine, active);
  const longer = expected(active, (n) => 1 / machine.speed(n)) - 1;
  const found = busySlowdowns.map((ratio) => calledSlower(load, environments, ratio, options));
  const figures = [longer, ...found].map(percent);
  return line([`${Math.round(100 * share)}%`, machine.label, ...figures]);
}

function loadOf({ label, speed }: SharedMachine, active: number): Load {
  const isActive = (random: SeededRandom) => uniform(random) < active;
  return {
    ...{ id: label, label },
    log: (random, count) => {
      const states = Array.from({ length: others }, () => isActive(random));
      return Array.from({ length: count }, () => {
        for (const [index] of states.entries()) {
          if (uniform(random) < changes) states[index] = isActive(random);
        }
        return -Math.log(speed(states.filter(Boolean).length));
      });
    },
  };
}

/** Returns the share of time in which each of the others must be busy to take that share of both CPUs. */
function activeShare(share: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (expected(middle, takenBy) < share) low = middle;
    else high = middle;
  }
  return high;
}

/** Returns the share of two CPUs that `n` others take while one process is always busy. */
function takenBy(n: number): number {
  return Math.min(n, (2 * n) / (n + 1)) / 2;
}

/** Returns the expected value of a function of the number of busy others. */
function expected(active: number, of: (n: number) => number): number {
  let sum = 0;
  for (let n = 0; n <= others; n += 1) {
    const ways = [1, 4, 6, 4, 1][n] ?? 0;
    sum += ways * active ** n * (1 - active) ** (others - n) * of(n);
  }
  return sum;
}
