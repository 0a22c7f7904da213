import { definitionOf } from "./asl-definition.ts";
import type { FakeLambdaOptions } from "./fake-aws/fake-lambda.ts";
import { execute, type OnDriver, portsFor } from "./state-machine.ts";
import { synthTemplate } from "./synth.ts";

/** The state machine of a stack with two memory sizes. */
export const twoSizes = definitionOf(synthTemplate({ memory: "128,512" }));

/** An input whose run is short. */
export const small = { preset: "quick", cold: 2, warm: 10, seed: 1 };

/** Runs that state machine over services in memory. */
export async function run(
  input: unknown,
  options: FakeLambdaOptions & { readonly onDriver?: OnDriver } = {},
) {
  const ports = portsFor(twoSizes, options);
  const execution = await execute(twoSizes, ports, input, options.onDriver);
  return { ...execution, ports };
}
