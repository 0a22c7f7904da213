import { SeededRandom } from "../../../lib/contract/seeded-order.ts";
import type { FunctionBuild, Plan, Sample } from "../../../lib/contract/types/contract.ts";
import { firstRequest } from "../../../lib/experiments/first-request/definition.ts";
import { instrumentedPlan } from "../../../lib/plan/expand.ts";
import { type FixtureChoice, fixturePlan, fixtureSamples } from "./fixture.ts";

/** CPU time at full speed, ms, of what a made-up function does; a memory size has a share of it. */
export interface Work {
  /** Every TLS handshake. */
  readonly handshake: number;
  /** The first handshake of a process that gathers entropy. */
  readonly entropy: number;
  /** The first handshake of a process on aws-lc, whatever its entropy. */
  readonly provider: number;
  /** A request, its connection left out. */
  readonly request: number;
}

/** About what the published study shows. */
export const asPublished: Work = { handshake: 4, entropy: 50, provider: 0, request: 2 };

export const firstRequestChoice: FixtureChoice = {
  experiment: firstRequest,
  target: "local",
  memoryMb: [128, 1769],
  cold: 10,
  warm: 80,
};

export function firstRequestPlan(choice: FixtureChoice = {}): Plan {
  return fixturePlan({ ...firstRequestChoice, ...choice });
}

const builds: Readonly<Record<string, FunctionBuild>> = {
  breakdown: build({ binaryBytes: 14_100_000 }),
  unwarmed: build({ binaryBytes: 14_000_000 }),
  warmed: build({ binaryBytes: 14_050_000 }),
  "no-jitter": build({ profile: "no-jitter", entropy: "system", binaryBytes: 13_900_000 }),
  ring: build({ cryptoProvider: "ring", entropy: "system", binaryBytes: 5_270_000 }),
  tuned: build({
    profile: "tuned",
    cryptoProvider: "ring",
    entropy: "system",
    trustStore: "bundled",
    binaryBytes: 4_860_000,
  }),
};

function build(of: Partial<FunctionBuild>): FunctionBuild {
  return {
    profile: "release",
    cryptoProvider: "aws-lc",
    entropy: "cpu-jitter",
    trustStore: "native",
    binaryBytes: 1,
    ...of,
  };
}

/** Every sample that the plan promises, of functions that do this work. */
export function firstRequestSamples(plan: Plan, work: Work = asPublished): Sample[] {
  const random = new SeededRandom(plan.seed + 1);
  return [...fixtureSamples(plan)].map((sample) => {
    const noise = () => 1 + 0.04 * (random.nextUint32() / 2 ** 32 - 0.5);
    return timed(sample, work, noise);
  });
}

function timed(sample: Sample, work: Work, noise: () => number): Sample {
  const { variant, memoryMb } = sample.cell;
  const share = Math.min(1, memoryMb / 1769);
  const isCold = sample.phase === "cold";
  const isWarmed = variant === "warmed" || variant === "tuned";
  const once = onceOf(variant, work);
  const connections =
    variant === "breakdown"
      ? [
          { dnsMs: 5 * noise(), tcpMs: 0.7 * noise(), tlsMs: tlsMs(isCold ? once : 0) },
          { dnsMs: 0.4 * noise(), tcpMs: 0.6 * noise(), tlsMs: tlsMs(0) },
        ]
      : undefined;
  const sdkCpu =
    work.request +
    (isCold && !isWarmed ? work.handshake + (connections === undefined ? once : 0) : 0);
  const sdkCallMs = (sdkCpu / share) * noise();
  const byHandMs = (connections ?? []).reduce(
    (sum, { dnsMs, tcpMs, tlsMs }) => sum + dnsMs + tcpMs + tlsMs,
    0,
  );
  const durationMs = sdkCallMs + byHandMs + 1;
  const initCpuMs = (isWarmed ? 40 + work.handshake + once : 40) * noise();
  const initDurationMs = initCpuMs + 10;
  const invocationCpuMs = (durationMs - 1) * share;
  return {
    ...sample,
    telemetry: {
      ...sample.telemetry,
      durationMs,
      billedDurationMs: Math.ceil(durationMs + (isCold ? initDurationMs : 0)),
      ...(isCold && { initDurationMs }),
    },
    cpu: { invocationCpuMs, ...(isCold && { initCpuMs }) },
    result: {
      ...(sample.result as object),
      sdkCallMs,
      ...(connections !== undefined && { connections }),
      ...(isWarmed && { warmupMs: initCpuMs - 30 }),
      ...(isCold && { build: builds[variant] }),
    },
  };

  function tlsMs(onceMs: number): number {
    return ((work.handshake + onceMs) / share) * noise();
  }
}

function onceOf(variant: string, { entropy, provider }: Work): number {
  if (variant === "ring" || variant === "tuned") return 0;
  return variant === "no-jitter" ? provider : entropy + provider;
}

/** The plan's trials under callgrind: counts of their own, times that must count nowhere. */
export function instrumentedSamples(
  plan: Plan,
  instructionsOf: (variant: string, phase: Sample["phase"]) => number,
): Sample[] {
  const part = instrumentedPlan(plan);
  if (part === undefined) throw new Error("the plan has no trials under callgrind");
  return [...fixtureSamples(part)].map((sample): Sample => {
    const { cell, phase, block } = sample;
    const millions = instructionsOf(cell.variant, phase);
    return {
      ...sample,
      telemetry: { ...sample.telemetry, durationMs: 9_999_999, initDurationMs: 9_999_999 },
      rejected: { reason: "instrumented" },
      instructions: {
        invocation: (millions + block - plan.blocks.length) * 1_000_000,
        ...(phase === "cold" && { init: (millions / 10) * 1_000_000 }),
      },
    };
  });
}
