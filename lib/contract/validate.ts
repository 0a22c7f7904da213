import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { InvalidInput } from "./errors.ts";
import block from "./schemas/block.schema.json" with { type: "json" };
import cell from "./schemas/cell.schema.json" with { type: "json" };
import engineResult from "./schemas/engine-result.schema.json" with { type: "json" };
import estimate from "./schemas/estimate.schema.json" with { type: "json" };
import event from "./schemas/event.schema.json" with { type: "json" };
import manifest from "./schemas/manifest.schema.json" with { type: "json" };
import micro from "./schemas/micro.schema.json" with { type: "json" };
import plan from "./schemas/plan.schema.json" with { type: "json" };
import result from "./schemas/result.schema.json" with { type: "json" };
import sample from "./schemas/sample.schema.json" with { type: "json" };
import sizes from "./schemas/sizes.schema.json" with { type: "json" };
import telemetry from "./schemas/telemetry.schema.json" with { type: "json" };
import type {
  EngineResult,
  FunctionEvent,
  FunctionResult,
  Manifest,
  MicroBenchmarks,
  Plan,
  Sample,
  Telemetry,
} from "./types/contract.ts";

const ajv = new Ajv({ strict: false, allErrors: false, verbose: true });
for (const schema of [block, cell, estimate, sizes, telemetry]) ajv.addSchema(schema);

const validators = {
  event: ajv.compile<FunctionEvent>(event),
  result: ajv.compile<FunctionResult>(result),
  engineResult: ajv.compile<EngineResult>(engineResult),
  sample: ajv.compile<Sample>(sample),
  telemetry: ajv.compile<Telemetry>(telemetry),
  plan: ajv.compile<Plan>(plan),
  manifest: ajv.compile<Manifest>(manifest),
  micro: ajv.compile<MicroBenchmarks>(micro),
};

type Contracts = {
  event: FunctionEvent;
  result: FunctionResult;
  engineResult: EngineResult;
  sample: Sample;
  telemetry: Telemetry;
  plan: Plan;
  manifest: Manifest;
  micro: MicroBenchmarks;
};

/** The value as its contract type; throws InvalidInput naming the first field that is wrong. */
export function validated<Name extends keyof Contracts>(
  name: Name,
  value: unknown,
): Contracts[Name] {
  const problem = contractProblem(name, value);
  if (problem !== undefined) throw problem;
  return value as Contracts[Name];
}

/** What is wrong with the value, or undefined when it keeps the contract. */
export function contractProblem(name: keyof Contracts, value: unknown): InvalidInput | undefined {
  const validate: ValidateFunction = validators[name];
  if (validate(value)) return undefined;
  const error = validate.errors?.[0];
  return error === undefined
    ? new InvalidInput(name, value, "a value of its schema")
    : asInvalidInput(name, error);
}

function asInvalidInput(name: string, error: ErrorObject): InvalidInput {
  const field = `${name}${error.instancePath.replaceAll("/", ".")}`;
  switch (error.keyword) {
    case "required":
      return new InvalidInput(`${field}.${error.params.missingProperty}`, undefined, "a value");
    case "additionalProperties": {
      const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
      const unknownName = String(error.params.additionalProperty);
      const found = (error.data as Record<string, unknown>)[unknownName];
      return new InvalidInput(`${field}.${unknownName}`, found, known.join(", "));
    }
    case "maxItems": {
      const { length } = error.data as readonly unknown[];
      return new InvalidInput(field, `${length} items`, `at most ${error.params.limit}`);
    }
    case "enum":
      return new InvalidInput(field, error.data, error.params.allowedValues.join(", "));
    default:
      return new InvalidInput(field, error.data, error.message ?? error.keyword);
  }
}
