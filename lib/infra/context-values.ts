import { InvalidInput } from "../contract/errors.ts";
import type { Preset } from "../experiment/experiment.ts";

// What a value of CDK context may be: each throws InvalidInput naming what was found and is allowed.

/** `-c name=a,b` gives text; cdk.json may hold a list. Absent and empty are the default. */
export function listOf(name: string, value: unknown): readonly string[] | undefined {
  if (value === undefined || value === "") return undefined;
  const parts = typeof value === "string" ? value.split(",").map((part) => part.trim()) : value;
  if (typeof parts === "number") return [String(parts)];
  const isList = Array.isArray(parts) && parts.length > 0 && !parts.includes("");
  if (isList) return parts.map(String);
  throw new InvalidInput(`context ${name}`, value, "values with commas between them, or a list");
}

export function numbersOf(name: string, value: unknown): readonly number[] | undefined {
  return listOf(name, value)?.map((part) => {
    if (/^\d+$/.test(part)) return Number(part);
    throw new InvalidInput(`context ${name}`, part, "whole numbers of MB, for example 128,512");
  });
}

export function maxMemoryOf(value: unknown): number | undefined {
  const [size, ...others] = numbersOf("maxMemory", value) ?? [];
  if (others.length === 0) return size;
  throw new InvalidInput("context maxMemory", value, "one whole number of MB, for example 3008");
}

export function unique(name: string, values: readonly string[]): readonly string[] {
  if (new Set(values).size === values.length) return values;
  throw new InvalidInput(`context ${name}`, values.join(","), "each value once");
}

export function flagOf(name: string, value: unknown): boolean {
  if (value === undefined || value === "" || value === false || value === "false") return false;
  if (value === true || value === "true") return true;
  throw new InvalidInput(`context ${name}`, value, "true, false");
}

export function presetOf(value: unknown): Preset {
  if (value === undefined || value === "") return "standard";
  if (value === "quick" || value === "standard") return value;
  throw new InvalidInput("context preset", value, "quick, standard");
}

export function nameOf(name: string, value: unknown): string | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string" && /^[\w+=,.@:/-]+$/.test(value)) return value;
  throw new InvalidInput(`context ${name}`, value, "the name or ARN of a managed policy");
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html */
export function rolePathOf(value: unknown): string | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string" && /^\/([\w+=,.@-]+\/)*$/.test(value)) return value;
  throw new InvalidInput("context rolePath", value, "a path that starts and ends with /");
}
