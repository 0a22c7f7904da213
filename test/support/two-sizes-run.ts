import { definitionOf } from "./asl-definition.ts";
import type { FakeLambdaOptions } from "./fake-aws/fake-lambda.ts";
import { execute, type OnDriver, portsFor } from "./state-machine.ts";
import { synthTemplate } from "./synth.ts";

/** The state machine of a stack with two memory sizes. */
export const twoSizes = definitionOf(synthTemplate({ memory: "128,512" }));

/** An input of every deployed cell: two environments each, every operation with calls that count. */
export const small = { preset: "quick", cold: 2, warm: 10, seed: 1 };

/** The same without warm calls, of which a trial has ten times as many as others. */
export const coldOnly = { ...small, warm: 0 };

/** One environment of one cell: for whatever its measurements do not change. */
export const oneTrial = { ...coldOnly, variants: ["python"], memoryMb: 512, cold: 1 };

/** Runs that state machine over services in memory. */
export async function run(
  input: unknown,
  options: FakeLambdaOptions & { readonly onDriver?: OnDriver } = {},
) {
  const ports = portsFor(twoSizes, options);
  const execution = await execute(twoSizes, ports, input, options.onDriver);
  return { ...execution, ports };
}
