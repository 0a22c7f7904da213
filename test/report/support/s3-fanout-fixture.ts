import type { Cell, Plan, Sample } from "../../../lib/contract/types/contract.ts";
import { s3Fanout } from "../../../lib/experiments/s3-fanout/definition.ts";
import { type FixtureChoice, fixturePlan, fixtureSamples } from "./fixture.ts";

export const s3FanoutChoice: FixtureChoice = {
  experiment: s3Fanout,
  target: "local",
  memoryMb: [128, 512, 3008],
  architectures: ["x86_64"],
};

export const network = { delayMs: 15, jitterMs: 3 } as const;

export function s3FanoutPlan(choice: FixtureChoice = {}): Plan {
  return { ...fixturePlan({ ...s3FanoutChoice, ...choice }), network };
}

/** CPU time of a fan-out, ms. */
export const cpuMs = { python: 200, rust: 30 } as const;

/** A function waits for its rounds and computes at its size's share, whichever is longer. */
export function s3FanoutSamples(plan: Plan): Sample[] {
  return [...fixtureSamples(plan)].map((sample): Sample => {
    const { cell, operation, block, sequence } = sample;
    const { parameters = {} } = plan.requests?.[operation] ?? {};
    const count = Number(parameters.count ?? 100);
    const concurrency = Number(parameters.concurrency ?? usual(cell.variant));
    const poolSize = Number(parameters.poolSize ?? 10);
    const isAio = cell.variant === "python-aioboto3";
    const waitingMs =
      Math.ceil(count / (isAio ? Math.min(concurrency, poolSize) : concurrency)) * 15;
    const spentMs = (cpuOf(cell) * count * (concurrency > poolSize && !isAio ? 3 : 1)) / 100;
    const noise = 1 + (((block * 7 + sequence * 3) % 11) - 5) / 1000;
    const durationMs = Math.max(waitingMs, spentMs / Math.min(1, cell.memoryMb / 1769)) * noise;
    const { initDurationMs } = sample.telemetry ?? {};
    return {
      ...sample,
      telemetry: {
        ...sample.telemetry,
        durationMs,
        billedDurationMs: Math.ceil(durationMs + (initDurationMs ?? 0)),
      },
      cpu: { invocationCpuMs: spentMs },
      result: {
        ...(sample.result as object),
        operation: "fanout",
        durationMs,
        sdkCallMs: durationMs * Math.min(concurrency, 8),
        itemsCount: count,
        concurrency,
        ...(cell.runtime.startsWith("python") && { poolSize }),
      },
    };
  });
}

function usual(variant: string): number {
  if (variant.endsWith("-serial")) return 1;
  return { "python-executor": 6, "python-aioboto3": 100 }[variant] ?? 10;
}

function cpuOf({ runtime }: Cell): number {
  return cpuMs[runtime.startsWith("python") ? "python" : "rust"];
}
