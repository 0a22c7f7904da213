import { definitionOf } from "./asl-definition.ts";
import type { FakeLambdaOptions } from "./fake-aws/fake-lambda.ts";
import { execute, type OnDriver, portsFor } from "./state-machine.ts";
import { synthTemplate } from "./synth.ts";

/** The state machine of a stack with two memory sizes. */
export const twoSizes = definitionOf(synthTemplate({ memory: "128,512" }));

/** Input that runs every deployed cell in two environments, with enough calls of every operation to count. */
export const small = { preset: "quick", cold: 2, warm: 10, seed: 1 };

/** The same without warm calls, which are ten times as many as a trial's other calls. */
export const coldOnly = { ...small, warm: 0 };

/** Input for one environment of one cell, for tests that do not depend on the measurements. */
export const oneTrial = { ...coldOnly, variants: ["python"], memoryMb: 512, cold: 1 };

/** Runs that state machine over in-memory services. */
export async function run(
  input: unknown,
  options: FakeLambdaOptions & { readonly onDriver?: OnDriver } = {},
) {
  const ports = portsFor(twoSizes, options);
  const execution = await execute(twoSizes, ports, input, options.onDriver);
  return { ...execution, ports };
}
