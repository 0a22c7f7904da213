import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import { describeAllowed, experimentById, experiments as known } from "../experiments/catalogue.ts";
import { isStackName, usualStackName } from "../plan/deployment.ts";
import type { Architecture, Experiment, Preset } from "../plan/experiment.ts";
import { matrix, mayHaveSize } from "../plan/matrix.ts";
import type { ExperimentCells, KelvinStackProps } from "./kelvin-stack.ts";
import type { TrustConditions } from "./own-resources.ts";

const contextNames = [
  "stack",
  "functions",
  "experiments",
  "memory",
  "maxMemory",
  "architectures",
  "variants",
  "preset",
  "keepResults",
  "permissionsBoundary",
  "rolePath",
  "prices",
  "trustConditions",
] as const;

/**
 * Maximum memory of a function in new accounts. No API returns an account's limit.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const everyAccountsMemoryMb = 3008;

type ContextReader = (name: (typeof contextNames)[number]) => unknown;

/** The user's functions that `-c functions=FILE` names, as lib/functions reads them. */
export interface OwnFunctions {
  readonly experiment: Experiment;
  readonly architectures: readonly Architecture[];
  /** Notes for the user. @default none */
  readonly notes?: readonly string[];
}

/** Returns the path of the price file, or undefined if the context names none. Throws InvalidInput. */
export function parsePricesPath(value: unknown): string | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string") return value;
  throw new InvalidInput("context prices", value, "the path of a price file");
}

/** Returns the stack's name. Throws InvalidInput. */
export function parseStackName(value: unknown): string {
  if (value === undefined || value === "") return usualStackName;
  if (typeof value === "string" && isStackName(value)) return value;
  const allowed = "letters, digits and hyphens, a letter first, 128 at the most";
  throw new InvalidInput("stack", value, allowed);
}

/** Returns the path of the functions file, or undefined if the context names none. Throws InvalidInput. */
export function parseFunctionsPath(value: unknown): string | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string") return value;
  throw new InvalidInput("context functions", value, "the path of a functions file");
}

/**
 * The only context key of the CDK's own that has no colon.
 * https://docs.aws.amazon.com/cdk/v2/guide/ref-cli-cmd-ack.html
 */
const ownOfCdk = "acknowledged-issue-numbers";

/**
 * Throws InvalidInput for unknown context: a misspelt key would silently leave the default, and results meant to be
 * kept would be deleted. Keys with a colon are the CDK's own.
 */
export function requireKnownContext(given: readonly string[]): void {
  const known: readonly string[] = [...contextNames, ownOfCdk];
  const unknown = given.find((name) => !name.includes(":") && !known.includes(name));
  if (unknown === undefined) return;
  throw new InvalidInput("context", unknown, `one of ${contextNames.join(", ")}`);
}

/** Returns the properties of the stack that CDK context and the functions file describe. Throws InvalidInput. */
export function parseStackProps(read: ContextReader, functions?: OwnFunctions): KelvinStackProps {
  const ids = experimentIds(read, functions);
  const chosen = unique("experiments", ids).map(parseExperiment);
  const variants = parseVariants(read("variants"), chosen);
  checkSizes(parseNumbers("memory", read("memory")), chosen);
  const ofCatalogue = chosen.map((experiment) => experimentCells(experiment, variants, read));
  return {
    experiments: [...(functions === undefined ? [] : [functionsCells(functions)]), ...ofCatalogue],
    preset: parsePreset(read("preset")),
    keepResults: parseFlag("keepResults", read("keepResults")),
    ...parseRoleProps(read),
  };
}

/** Context of the stack's roles, which an organisation may demand for every stack. */
export const roleContext = ["permissionsBoundary", "rolePath", "trustConditions"] as const;

/** Returns the properties of the stack's roles. Throws InvalidInput. */
export function parseRoleProps(read: ContextReader) {
  const permissionsBoundaryPolicy = parseName("permissionsBoundary", read("permissionsBoundary"));
  const rolePath = parseRolePath(read("rolePath"));
  const trustConditions = parseTrustConditions(read("trustConditions"));
  return { ...defined({ permissionsBoundaryPolicy, rolePath }), trustConditions };
}

/** Returns the chosen experiments. With a functions file, there are none unless they are named. */
function experimentIds(read: ContextReader, functions: OwnFunctions | undefined) {
  const ids = parseList("experiments", read("experiments"));
  if (ids !== undefined || functions === undefined) return ids ?? ["dynamodb"];
  for (const name of ["memory", "maxMemory", "architectures", "variants"] as const) {
    const value = read(name);
    if (value === undefined || value === "") continue;
    const allowed =
      "nothing without -c experiments: what is deployed of functions stands in their file";
    throw new InvalidInput(`context ${name}`, value, allowed);
  }
  return [];
}

function functionsCells({ experiment, architectures }: OwnFunctions): ExperimentCells {
  const { variants, memoryMb } = experiment;
  const all = variants.map(({ id }) => id);
  return { experiment, cells: matrix(experiment, { variants: all, memoryMb, architectures }) };
}

function parseExperiment(id: string): Experiment {
  const ids = known.map((experiment) => experiment.id);
  if (!ids.includes(id)) {
    throw new InvalidInput("context experiments", id, describeAllowed(id));
  }
  return experimentById(id);
}

function experimentCells(
  experiment: Experiment,
  variants: readonly string[],
  read: ContextReader,
): ExperimentCells {
  const chosenSizes = parseNumbers("memory", read("memory"));
  const requestedMb = sizesAsked(experiment, chosenSizes);
  // Requested sizes are all deployed; of an experiment's default sizes, only those that every account allows.
  const unsaid = chosenSizes === undefined ? everyAccountsMemoryMb : Number.POSITIVE_INFINITY;
  const given = parseMaxMemory(read("maxMemory"));
  const maxMemory = given ?? unsaid;
  const memoryMb = requestedMb.filter((size) => size <= maxMemory);
  if (memoryMb.length === 0) {
    const smallest = Math.min(...requestedMb);
    throw new InvalidInput(
      "context maxMemory",
      maxMemory,
      `at least ${experiment.id}'s smallest size, ${smallest}`,
    );
  }
  const ids = experiment.variants.map((variant) => variant.id);
  const chosen = variants.filter((variant) => ids.includes(variant));
  const architectures = (parseList("architectures", read("architectures")) ?? [
    "arm64",
  ]) as Architecture[];
  const leftOut = requestedMb.filter((size) => size > maxMemory);
  return {
    experiment,
    cells: matrix(experiment, { variants: chosen, memoryMb, architectures }),
    leftOut: leftOut.map((size) =>
      given === undefined
        ? `${size} MB, which new accounts may not use; if yours may: -c maxMemory=${size}`
        : `${size} MB, above -c maxMemory=${given}`,
    ),
  };
}

/** Returns the sizes to deploy. If sizes are requested, each experiment takes those that it supports. */
function sizesAsked(
  experiment: Experiment,
  chosen: readonly number[] | undefined,
): readonly number[] {
  const sizes = chosen?.filter((size) => mayHaveSize(experiment, size)) ?? experiment.memoryMb;
  if (sizes.length > 0) return sizes;
  const allowed = `at least one of ${experiment.id}'s: ${experiment.memoryMb.join(", ")}`;
  throw new InvalidInput("context memory", chosen, allowed);
}

/** Throws InvalidInput if no experiment supports one of the sizes. */
function checkSizes(
  chosen: readonly number[] | undefined,
  experiments: readonly Experiment[],
): void {
  const strange = chosen?.find((size) => !experiments.some((each) => mayHaveSize(each, size)));
  if (strange === undefined) return;
  const allowed = experiments.flatMap(({ memoryMb }) => memoryMb);
  throw new InvalidInput("context memory", strange, [...new Set(allowed)].join(", "));
}

/** Returns the requested variants. Each must belong to an experiment, and each experiment needs one. */
function parseVariants(value: unknown, experiments: readonly Experiment[]): readonly string[] {
  const all = experiments.flatMap(({ variants }) => variants.map((variant) => variant.id));
  const requested = unique("variants", parseList("variants", value) ?? [...new Set(all)]);
  const allowed = [...new Set(all)].join(", ");
  for (const variant of requested) {
    if (!all.includes(variant)) throw new InvalidInput("context variants", variant, allowed);
  }
  for (const { id, variants } of experiments) {
    if (variants.some((variant) => requested.includes(variant.id))) continue;
    throw new InvalidInput("context variants", value, `at least one of ${id}'s`);
  }
  return requested;
}

// The parsers below read values of CDK context. Each throws InvalidInput with the value found and the values allowed.

/** Reads a list: text from `-c name=a,b`, or a list from cdk.json. Absent or empty: undefined. */
function parseList(name: string, value: unknown): readonly string[] | undefined {
  if (value === undefined || value === "") return undefined;
  const parts = typeof value === "string" ? value.split(",").map((part) => part.trim()) : value;
  if (typeof parts === "number") return [String(parts)];
  const isList = Array.isArray(parts) && parts.length > 0 && !parts.includes("");
  if (isList) return parts.map(String);
  throw new InvalidInput(`context ${name}`, value, "values separated by commas, or a list");
}

function parseNumbers(name: string, value: unknown): readonly number[] | undefined {
  return parseList(name, value)?.map((part) => {
    if (/^\d+$/.test(part)) return Number(part);
    throw new InvalidInput(`context ${name}`, part, "whole numbers of MB, for example 128,512");
  });
}

function parseMaxMemory(value: unknown): number | undefined {
  const [size, ...others] = parseNumbers("maxMemory", value) ?? [];
  if (others.length === 0) return size;
  throw new InvalidInput("context maxMemory", value, "one whole number of MB, for example 3008");
}

function unique(name: string, values: readonly string[]): readonly string[] {
  if (new Set(values).size === values.length) return values;
  throw new InvalidInput(`context ${name}`, values.join(","), "each value once");
}

function parseFlag(name: string, value: unknown): boolean {
  if (value === undefined || value === "" || value === false || value === "false") return false;
  if (value === true || value === "true") return true;
  throw new InvalidInput(`context ${name}`, value, "true, false");
}

function parseTrustConditions(value: unknown): TrustConditions {
  if (value === undefined || value === "") return "sourceAccount";
  if (value === "sourceAccount" || value === "none") return value;
  throw new InvalidInput("context trustConditions", value, "sourceAccount, none");
}

function parsePreset(value: unknown): Preset {
  if (value === undefined || value === "") return "standard";
  if (value === "quick" || value === "standard") return value;
  throw new InvalidInput("context preset", value, "quick, standard");
}

function parseName(name: string, value: unknown): string | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string" && /^[\w+=,.@:/-]+$/.test(value)) return value;
  throw new InvalidInput(`context ${name}`, value, "the name or ARN of a managed policy");
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html */
function parseRolePath(value: unknown): string | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string" && /^\/([\w+=,.@-]+\/)*$/.test(value)) return value;
  throw new InvalidInput("context rolePath", value, "a path that starts and ends with /");
}

/** An installed package's answer to a request for Kelvin's own experiments. */
export const needsRepository =
  "Kelvin's own experiments are built in its repository: clone it, then run npm ci and npm run kelvin -- deploy";

/** Throws InvalidInput if the context requests something that an installed package has no sources for. */
export function requireFunctionsFile(read: (name: string) => unknown): void {
  const [experiments = "", functions = ""] = ["experiments", "functions"].map(read);
  if (experiments !== "") {
    throw new InvalidInput("context experiments", experiments, `none; ${needsRepository}`);
  }
  if (functions === "") {
    throw new InvalidInput("context functions", undefined, `a functions file; ${needsRepository}`);
  }
}
