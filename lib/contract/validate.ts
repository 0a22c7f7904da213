import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { InvalidInput } from "./errors.ts";
import answer from "./schemas/answer.schema.json" with { type: "json" };
import block from "./schemas/block.schema.json" with { type: "json" };
import calibration from "./schemas/calibration.schema.json" with { type: "json" };
import cell from "./schemas/cell.schema.json" with { type: "json" };
import consoleInput from "./schemas/console-input.schema.json" with { type: "json" };
import estimate from "./schemas/estimate.schema.json" with { type: "json" };
import event from "./schemas/event.schema.json" with { type: "json" };
import functions from "./schemas/functions.schema.json" with { type: "json" };
import limit from "./schemas/limit.schema.json" with { type: "json" };
import manifest from "./schemas/manifest.schema.json" with { type: "json" };
import plan from "./schemas/plan.schema.json" with { type: "json" };
import prices from "./schemas/prices.schema.json" with { type: "json" };
import result from "./schemas/result.schema.json" with { type: "json" };
import sample from "./schemas/sample.schema.json" with { type: "json" };
import sizes from "./schemas/sizes.schema.json" with { type: "json" };
import speed from "./schemas/speed.schema.json" with { type: "json" };
import telemetry from "./schemas/telemetry.schema.json" with { type: "json" };
import usd from "./schemas/usd.schema.json" with { type: "json" };
import type {
  ConsoleInput,
  FunctionEvent,
  FunctionResult,
  FunctionsFile,
  Manifest,
  Plan,
  Prices,
  Sample,
  Telemetry,
} from "./types/contract.ts";

const ajv = new Ajv({ strict: false, allErrors: false, verbose: true });
for (const schema of [
  answer,
  block,
  calibration,
  cell,
  estimate,
  limit,
  prices,
  sizes,
  speed,
  telemetry,
  usd,
]) {
  ajv.addSchema(schema);
}

const validators = {
  event: compiledOnUse<FunctionEvent>(event),
  result: compiledOnUse<FunctionResult>(result),
  sample: compiledOnUse<Sample>(sample),
  telemetry: compiledOnUse<Telemetry>(telemetry),
  plan: compiledOnUse<Plan>(plan),
  manifest: compiledOnUse<Manifest>(manifest),
  prices: compiledOnUse<Prices>(prices),
  functions: compiledOnUse<FunctionsFile>(functions),
  input: compiledOnUse<ConsoleInput>(consoleInput),
};

/** Compiles a schema on first use: few are needed, and all would take a tenth of a short command's time. */
function compiledOnUse<Type>(schema: object): () => ValidateFunction<Type> {
  let compiled: ValidateFunction<Type> | undefined;
  return () => {
    compiled ??= ajv.compile<Type>(schema);
    return compiled;
  };
}

type Contracts = {
  [Name in keyof typeof validators]: (typeof validators)[Name] extends () => ValidateFunction<
    infer Type
  >
    ? Type
    : never;
};

/** Returns the value as its contract type. Throws InvalidInput naming the first wrong field. */
export function validated<Name extends keyof Contracts>(
  name: Name,
  value: unknown,
): Contracts[Name] {
  const problem = contractProblem(name, value);
  if (problem !== undefined) throw problem;
  return value as Contracts[Name];
}

/** Returns the problem with the value; undefined if it conforms to the contract. */
export function contractProblem(name: keyof Contracts, value: unknown): InvalidInput | undefined {
  return findProblem(name, validators[name](), value);
}

/** A contract used by one room only. */
interface RoomContract<Type> {
  /** Returns the problem with a value; undefined if it conforms to the schema. */
  readonly problemOf: (value: unknown) => InvalidInput | undefined;
  /** Returns the value as its type. Throws InvalidInput naming the first wrong field. */
  readonly validated: (value: unknown) => Type;
}

export function roomContract<Type>(name: string, schema: object): RoomContract<Type> {
  const validator = compiledOnUse<Type>(schema);
  const problemOf = (value: unknown) => findProblem(name, validator(), value);
  const validated = (value: unknown) => {
    const problem = problemOf(value);
    if (problem !== undefined) throw problem;
    return value as Type;
  };
  return { problemOf, validated };
}

function findProblem(
  name: string,
  validate: ValidateFunction,
  value: unknown,
): InvalidInput | undefined {
  if (validate(value)) return undefined;
  const error = validate.errors?.[0];
  return error === undefined
    ? new InvalidInput(name, value, "a value that its schema allows")
    : asInvalidInput(name, error);
}

/** A schema, which may describe its allowed values in the keyword `allowed`. */
interface Described {
  readonly properties?: object;
  readonly required?: readonly string[];
  readonly allowed?: string;
}

function asInvalidInput(name: string, error: ErrorObject): InvalidInput {
  const path = error.instancePath.slice(1).replaceAll("/", ".");
  // Paths in a functions file get no prefix: most start with its field `functions` already.
  const field = name === "functions" && path !== "" ? path : [name, path].filter(Boolean).join(".");
  const { properties = {}, required = [], allowed } = error.parentSchema as Described;
  const known = Object.keys(properties).join(", ");
  const fields = required.length > 0 ? known : `any of ${known}`;
  switch (error.keyword) {
    case "required":
      return new InvalidInput(`${field}.${error.params.missingProperty}`, undefined, "a value");
    case "additionalProperties": {
      const unknownName = String(error.params.additionalProperty);
      const found = (error.data as Record<string, unknown>)[unknownName];
      return new InvalidInput(`${field}.${unknownName}`, found, `no such field; known: ${known}`);
    }
    case "maxItems": {
      const { length } = error.data as readonly unknown[];
      return new InvalidInput(field, `${length} items`, `at most ${error.params.limit}`);
    }
    case "const":
      return new InvalidInput(field, error.data, JSON.stringify(error.params.allowedValue));
    case "enum":
      return new InvalidInput(field, error.data, error.params.allowedValues.join(", "));
    case "type":
      if (known === "" || error.params.type !== "object") break;
      return new InvalidInput(field, error.data, allowed ?? `an object with ${fields}`);
  }
  return new InvalidInput(field, error.data, allowed ?? error.message ?? error.keyword);
}
