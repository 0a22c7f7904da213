import { join } from "node:path";
import { describeError, InvalidInput } from "../contract/errors.ts";
import type { Experiment } from "../plan/experiment.ts";
import { missingSdkPackage, useSdkPackages } from "../toolchain/javascript-sdk.ts";
import { findPlaces } from "./artefact-command.ts";
import type { ProvidePackage } from "./try-functions.ts";

/** Returns a function that adds packages of the AWS SDK for JavaScript that a function imports but does not bundle. */
export function sdkProvider(
  { variants }: Pick<Experiment, "variants">,
  say: (line: string) => void,
  use: typeof useSdkPackages = useSdkPackages,
): ProvidePackage {
  const used = new Map<string, readonly string[]>();
  return async ({ variant }, message) => {
    const name = missingSdkPackage(message);
    const { language, source } = variants.find(({ id }) => id === variant) ?? {};
    if (name === undefined || language !== "javascript" || source?.kind !== "artefact") {
      return false;
    }
    const before = used.get(variant) ?? [];
    if (before.includes(name)) return false;
    const names = [...before, name];
    used.set(variant, names);
    try {
      await use(names, join(findPlaces(source).runtimeDir, "node_modules"), { say });
    } catch (error) {
      const { message: reason } = describeError(error);
      const allowed = `packages of its own, or those of Lambda's runtime that npm can bring here (${reason})`;
      throw new InvalidInput(`${variant}: imports`, name, allowed);
    }
    return true;
  };
}
