import { runCdk } from "./run-cdk.ts";

/**
 * `kelvin destroy`: hands the words to `cdk destroy`, with an app that needs nothing of what was deployed:
 * functions file and artefacts may be gone. Returns the exit code.
 */
export async function destroy(words: readonly string[]): Promise<number> {
  return await runCdk("empty-app", ["destroy", ...words]);
}
