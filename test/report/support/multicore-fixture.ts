import type { Cell, Plan, Sample } from "../../../lib/contract/types/contract.ts";
import { multicore } from "../../../lib/experiments/multicore/definition.ts";
import { type FixtureChoice, fixturePlan, fixtureSamples } from "./fixture.ts";

export const multicoreChoice: FixtureChoice = {
  experiment: multicore,
  target: "local",
  memoryMb: [1536, 2048, 4096],
  architectures: ["x86_64"],
};

export function multicorePlan(choice: FixtureChoice = {}): Plan {
  return fixturePlan({ ...multicoreChoice, ...choice });
}

/** Hashes per second of CPU that the made-up functions do. */
export const perCpuSecond = { rust: 16, "rust-interleaved": 48 } as const;

export interface MadeUp {
  /** vCPUs that a cell's pool really used. */
  readonly used?: (cell: Cell) => number;
  readonly cpuTime?: boolean;
}

/** Pools that use every vCPU that their memory pays for, one a worker at the most; no two calls alike. */
export function multicoreSamples(
  plan: Plan,
  { used = paid, cpuTime = true }: MadeUp = {},
): Sample[] {
  return [...fixtureSamples(plan)].map((sample): Sample => {
    const { cell, operation, block, sequence } = sample;
    const noise = 1 + (((block * 7 + sequence * 3) % 11) - 5) / 1000;
    const isWork = operation === "hash";
    const rate = perCpuSecond[cell.variant as keyof typeof perCpuSecond];
    const cpuMs = isWork ? (20_000 / rate) * noise : 0.5;
    const durationMs = cpuMs / used(cell);
    const { initDurationMs } = sample.telemetry ?? {};
    const { sdkCallMs: _, itemsCount: __, ...result } = sample.result as Record<string, unknown>;
    return {
      ...sample,
      telemetry: {
        ...sample.telemetry,
        durationMs,
        billedDurationMs: Math.ceil(durationMs + (initDurationMs ?? 0)),
      },
      ...(cpuTime && { cpu: { invocationCpuMs: cpuMs } }),
      result: {
        ...result,
        workers: cell.workers,
        detectedCpus: 6,
        memoryUsedKb: 3000,
        ...(isWork && {
          ...multicore.requests?.hash?.expected,
          threadsUsed: cell.workers,
          mode: cell.workers === 1 ? "sequential" : "parallel",
        }),
      },
    };
  });
}

function paid({ memoryMb, workers = 1 }: Cell): number {
  return Math.min(memoryMb / 1769, workers);
}
