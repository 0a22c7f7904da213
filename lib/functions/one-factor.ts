import { isDeepStrictEqual } from "node:util";
import { InvalidInput } from "../contract/errors.ts";
import type {
  DeclaredFactor,
  FunctionsFile,
  MeasuredFunction,
} from "../contract/types/contract.ts";
import type { Architecture } from "../plan/experiment.ts";
import { isImageReference } from "./container-image.ts";

export function artefactOn(measured: MeasuredFunction, architecture: Architecture): string {
  return measured.artefactByArchitecture?.[architecture] ?? measured.artefact;
}

/**
 * Returns the factors that a file declares with `differsFrom`. Throws InvalidInput unless a function differs from the
 * named one in exactly one factor: otherwise a difference in the result could not be attributed.
 */
export function declaredFactors({ functions }: FunctionsFile): readonly DeclaredFactor[] {
  return functions.flatMap((measured, index) => {
    const { name, differsFrom } = measured;
    if (differsFrom === undefined) return [];
    const baseline = functions.slice(0, index).find((other) => other.name === differsFrom);
    if (baseline === undefined) {
      const before = functions.slice(0, index).map((other) => other.name);
      const allowed = `a function before it${before.length === 0 ? ": it is the first" : ` (${before.join(", ")})`}`;
      throw new InvalidInput(`${name}: differsFrom`, differsFrom, allowed);
    }
    const [factor, ...others] = differingFactors(measured, baseline);
    if (factor === undefined || others.length > 0) {
      const found = factor === undefined ? "no difference" : [factor, ...others].join(", ");
      const allowed = `one difference from ${differsFrom}, to which the result can be attributed`;
      throw new InvalidInput(`${name}: differsFrom`, found, allowed);
    }
    return [{ factor, variant: name, baseline: differsFrom }];
  });
}

/** Lists everything in which two functions of a file differ, except their names. */
function differingFactors(one: MeasuredFunction, other: MeasuredFunction): readonly string[] {
  const differs = <Key extends keyof MeasuredFunction>(...keys: readonly Key[]) =>
    keys.some((key) => !isDeepStrictEqual(one[key], other[key]));
  return [
    ...(differs("artefact", "artefactByArchitecture") ? [artefactFactor] : []),
    ...(differs("runtime") ? ["runtime"] : []),
    ...(differs("handler") ? ["handler"] : []),
    ...differingKeys(one.environment, other.environment).map(
      (variable) => `environment variable ${variable}`,
    ),
    ...(differs("layers", "layerArtefacts") ? ["layers"] : []),
    ...(differs("permissions") ? [permissionsFactor] : []),
    ...differingKeys(one.aws, other.aws).map((setting) => `${awsFactor}${setting}`),
  ];
}

const artefactFactor = "artefact";
const permissionsFactor = "permissions";
const awsFactor = "aws.";

/** Returns true for a factor that has an effect only on Lambda: locally both sides would be the same. */
export function isOnlyOnAws({ factor }: DeclaredFactor): boolean {
  return factor === permissionsFactor || factor.startsWith(awsFactor);
}

/**
 * onBothArchitectures merges two functions that differ only in the architecture and the zip built for it into one
 * with an artefact for each. Throws InvalidInput for any others: the effect of the architecture could not be
 * separated.
 */
export function onBothArchitectures(
  x86_64: MeasuredFunction,
  arm64: MeasuredFunction,
): MeasuredFunction {
  const secrets = differingKeys(
    Object.fromEntries((x86_64.secretNames ?? []).map((name) => [name, true])),
    Object.fromEntries((arm64.secretNames ?? []).map((name) => [name, true])),
  );
  const others = [
    ...differingFactors(arm64, x86_64).filter((factor) => factor !== artefactFactor),
    ...secrets.map((name) => `environment variable ${name}`),
    ...([x86_64, arm64].some(({ artefact }) => isImageReference(artefact)) ? ["images"] : []),
  ];
  if (others.length > 0) {
    const found = ["architecture", ...others].join(", ");
    const allowed =
      'zips that differ in the architecture alone, or the result could not be attributed to it; kelvin adopt writes a functions file of one, which with "architectures": ["arm64", "x86_64"] and "artefactByArchitecture" measures it on both';
    throw new InvalidInput("functions that differ in", found, allowed);
  }
  return { ...x86_64, artefactByArchitecture: { arm64: arm64.artefact } };
}

function differingKeys(one: object = {}, other: object = {}): readonly string[] {
  const [own, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return [...new Set([...own.keys(), ...others.keys()])].filter(
    (key) => !isDeepStrictEqual(own.get(key), others.get(key)),
  );
}

/**
 * Lists the declared comparisons that this machine cannot make, each with the reason: those of two architectures, and
 * those of settings that only Lambda has.
 */
export function factorsNotHere(file: FunctionsFile, here: Architecture): readonly string[] {
  const { architectures = [] } = file;
  const declared = declaredFactors(file).filter(isOnlyOnAws);
  return [
    ...(new Set(architectures).size < 2
      ? []
      : [
          `arm64 against x86_64: this machine is ${here} and measures that alone; kelvin deploy --functions measures both on AWS`,
        ]),
    ...declared.map(
      ({ variant, baseline, factor }) =>
        `${variant} against ${baseline} by ${factor}, which applies only on AWS`,
    ),
  ];
}
