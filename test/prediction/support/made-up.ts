import { SeededRandom } from "../../../lib/contract/seeded-order.ts";
import type { Observation } from "../../../lib/prediction/fit.ts";
import type { FunctionKind } from "../../../lib/prediction/function-kind.ts";
import type { LocalCall } from "../../../lib/prediction/local-times.ts";
import { type Constants, predictTimes } from "../../../lib/prediction/model.ts";
import type { Source } from "../../../lib/prediction/published-times.ts";

/** Constants that made-up sources were measured by. */
export const truth: Constants = {
  sandboxMs: 9,
  nodeSandboxMs: 90,
  pythonStartFactor: 1.8,
  readMsPerMb: 5,
  firstWaitMs: 40,
  firstCodeFactor: 1.6,
  jitterMs: 63,
  warmFactor: { "service/native": 1.3, "service/python": 0.9 },
  computeFactor: 1.2,
};

export const sources: readonly Source[] = [
  "dynamodb-studies",
  "cebert",
  "lambda-benchmark",
  "runtime-benchmark",
];

const kinds = {
  rust: { family: "native", work: "service", gathersJitter: true },
  python: { family: "python", work: "service", gathersJitter: false },
  hash: { family: "native", work: "compute", gathersJitter: false },
} as const satisfies Record<string, FunctionKind>;

/** What local runs of the functions measured, at a share of a CPU. */
function localCalls(memoryMb: number): readonly (readonly [keyof typeof kinds, LocalCall])[] {
  const slowed = Math.max(1, 1769 / memoryMb);
  const call = (name: keyof typeof kinds, of: Partial<LocalCall>) =>
    [
      name,
      { kind: kinds[name], memoryMb, call: "warm", durationMs: 1, networkMs: 10, ...of },
    ] as const;
  return [
    call("rust", { call: "first", durationMs: 10 + 21 * slowed, initMs: 7, artefactMb: 17 }),
    call("python", { call: "first", durationMs: 10 + 12 * slowed, initMs: 240 }),
    call("hash", { call: "first", durationMs: 36 * slowed, initMs: 4, artefactMb: 1.7 }),
    call("rust", { durationMs: 4 }),
    call("python", { durationMs: 3 + 3 * slowed }),
    call("hash", { durationMs: 35 * slowed }),
  ];
}

/**
 * What made-up sources published of these functions.
 *
 * @param deviation by how much a source's figures are off from the truth: the standard deviation of their logarithms,
 * of which each source has one factor of its own and each figure another of half its size.
 */
export function madeUpObservations(
  deviation: number,
  seed: number,
  constants: Constants = truth,
): readonly Observation[] {
  const random = new SeededRandom(seed);
  return sources.flatMap((source, index) => {
    const factors = new Map(Object.keys(kinds).map((name) => [name, noise(random, deviation)]));
    const sizes = index === 0 ? [128] : [128, 256, 1769];
    return sizes.flatMap((memoryMb) =>
      localCalls(memoryMb).map(([name, local]): Observation => {
        const { initMs, durationMs } = predictTimes(local, constants);
        const off = () => (factors.get(name) ?? 1) * noise(random, deviation / 2);
        return {
          local,
          published: {
            ...{ source, architecture: "arm64", kind: local.kind },
            place: {
              ...{ experiment: name === "hash" ? "sha256" : "dynamodb", variant: name, memoryMb },
              ...{ phase: local.call === "first" ? "cold" : "warm", operation: "get" },
            },
            durationMs: durationMs * off(),
            ...(initMs !== undefined && { initMs: initMs * off() }),
          },
        };
      }),
    );
  });
}

/** A factor around 1 whose logarithm is nearly normal: the sum of twelve uniform draws. */
function noise(random: SeededRandom, deviation: number): number {
  const sum = Array.from({ length: 12 }, () => random.nextUint32() / 2 ** 32).reduce(
    (a, b) => a + b,
    0,
  );
  return Math.exp(deviation * (sum - 6));
}
