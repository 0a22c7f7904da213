import { looksSecret } from "../../lib/aws/adopt-function.ts";
import type { FunctionsFile } from "../../lib/contract/types/contract.ts";

/** Describes environment variables in a functions file that look like secrets in clear text. */
export function describeClearSecrets({ functions }: FunctionsFile): readonly string[] {
  return functions.flatMap(({ name, environment = {} }) =>
    Object.entries(environment)
      .filter(([variable, value]) => looksSecret(variable, value))
      .map(
        ([variable]) =>
          `${name}: ${variable} looks like a secret and is in clear text in the functions file, and on AWS in the configuration of a copy and in the stack's template`,
      ),
  );
}
