import { describeError } from "../contract/errors.ts";
import type { FunctionEnvironments } from "./function-environment.ts";
import { nonceVariable } from "./lambda-target.ts";

export interface Restored {
  /** Functions that had the nonce and no longer have it. */
  readonly restored: readonly string[];
  readonly failed: readonly { readonly functionName: string; readonly message: string }[];
}

/** Takes the nonce out of every function that has it. Can be done again; one that fails stops no other. */
export async function restoreFunctions(
  environments: FunctionEnvironments,
  functionNames: readonly string[],
): Promise<Restored> {
  const restored: string[] = [];
  const failed: { functionName: string; message: string }[] = [];
  for (const functionName of functionNames) {
    try {
      const { [nonceVariable]: nonce, ...variables } = await environments.read(functionName);
      if (nonce === undefined) continue;
      await environments.replace(functionName, variables);
      restored.push(functionName);
    } catch (error) {
      failed.push({ functionName, message: describeError(error).message });
    }
  }
  return { restored, failed };
}
