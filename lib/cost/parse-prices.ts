import { InvalidInput } from "../contract/errors.ts";
import type { PriceSource, PriceTable, RegionPrices } from "./prices.ts";

type Fields = Readonly<Record<string, unknown>>;
type Reader<Value> = (value: unknown, field: string) => Value;

/** A GB-second, a request or a transition costs a fraction of a cent: more is a price per million. */
const dearest = 0.01;
/** Of logs. */
const dearestGb = 10;

/**
 * The table in a price file's JSON, as JSON.parse gives it. Throws InvalidInput naming the field,
 * what was found and what is allowed; a name that is not known is an error, so that a misspelt
 * price is not taken for an absent one.
 */
export function parsePrices(json: unknown): PriceTable {
  const fields = readFields(json, "prices", ["date", "sources", "regions", "configurationItemUsd"]);
  return {
    date: date(fields.date, "prices.date"),
    sources: list(fields.sources, "prices.sources", source),
    ...optional(fields, "prices", "configurationItemUsd", usd),
    regions: regions(fields.regions, "prices.regions"),
  };
}

function regions(value: unknown, field: string): Readonly<Record<string, RegionPrices>> {
  const entries = Object.entries(plainObject(value, field, "regions by name, at least one"));
  if (entries.length === 0) throw new InvalidInput(field, value, "regions by name, at least one");
  return Object.fromEntries(
    entries.map(([name, prices]) => {
      if (!/^[a-z]{2}(-[a-z]+)+-\d$/.test(name)) {
        throw new InvalidInput(field, name, "region names such as us-east-1");
      }
      return [name, region(prices, `${field}.${name}`)];
    }),
  );
}

function region(value: unknown, field: string): RegionPrices {
  const allowed = ["lambda", "stepFunctionsTransitionUsd", "dynamodb", "s3", "logs"];
  const fields = readFields(value, field, allowed);
  return {
    ...optional(fields, field, "lambda", lambda),
    ...optional(fields, field, "stepFunctionsTransitionUsd", usd),
    ...optional(fields, field, "dynamodb", (given, at) =>
      pair(given, at, "readRequestUnitUsd", "writeRequestUnitUsd"),
    ),
    ...optional(fields, field, "s3", (given, at) =>
      pair(given, at, "putRequestUsd", "getRequestUsd"),
    ),
    ...optional(fields, field, "logs", logs),
  };
}

function lambda(value: unknown, field: string): NonNullable<RegionPrices["lambda"]> {
  const fields = readFields(value, field, ["arm64", "x86_64", "requestUsd"]);
  return {
    ...optional(fields, field, "arm64", gbSecond),
    ...optional(fields, field, "x86_64", gbSecond),
    ...optional(fields, field, "requestUsd", usd),
  };
}

function logs(value: unknown, field: string): NonNullable<RegionPrices["logs"]> {
  const { ingestedGbUsd } = readFields(value, field, ["ingestedGbUsd"]);
  const isPrice = typeof ingestedGbUsd === "number" && ingestedGbUsd > 0;
  if (isPrice && ingestedGbUsd <= dearestGb) return { ingestedGbUsd };
  const allowed = `USD for one GB, above 0 and at most ${dearestGb}`;
  throw new InvalidInput(`${field}.ingestedGbUsd`, ingestedGbUsd, allowed);
}

function gbSecond(value: unknown, field: string): { readonly gbSecondUsd: number } {
  const fields = readFields(value, field, ["gbSecondUsd"]);
  return { gbSecondUsd: usd(fields.gbSecondUsd, `${field}.gbSecondUsd`) };
}

function pair<One extends string, Other extends string>(
  value: unknown,
  field: string,
  one: One,
  other: Other,
): Record<One | Other, number> {
  const fields = readFields(value, field, [one, other]);
  const prices = {
    [one]: usd(fields[one], `${field}.${one}`),
    [other]: usd(fields[other], `${field}.${other}`),
  };
  return prices as Record<One | Other, number>;
}

function source(value: unknown, field: string): PriceSource {
  const fields = readFields(value, field, ["url", "gives"]);
  return {
    url: text(fields.url, `${field}.url`),
    gives: text(fields.gives, `${field}.gives`),
  };
}

function optional<Name extends string, Value>(
  fields: Fields,
  field: string,
  name: Name,
  read: Reader<Value>,
): { [Key in Name]?: Value } {
  if (!(name in fields)) return {};
  return { [name]: read(fields[name], `${field}.${name}`) } as { [Key in Name]?: Value };
}

function list<Item>(value: unknown, field: string, read: Reader<Item>): readonly Item[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new InvalidInput(field, value, "a list of at least one");
  }
  return value.map((item: unknown, index) => read(item, `${field}.${index}`));
}

function usd(value: unknown, field: string): number {
  if (typeof value === "number" && value > 0 && value <= dearest) return value;
  throw new InvalidInput(field, value, `USD for one unit, above 0 and at most ${dearest}`);
}

function date(value: unknown, field: string): string {
  const isDate =
    typeof value === "string" &&
    /^\d{4}-\d{2}-\d{2}$/.test(value) &&
    !Number.isNaN(Date.parse(value));
  if (isDate) return value;
  throw new InvalidInput(field, value, "a date such as 2026-01-31");
}

function text(value: unknown, field: string): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new InvalidInput(field, value, "text");
}

function readFields(value: unknown, field: string, allowed: readonly string[]): Fields {
  const fields = plainObject(value, field, `an object of ${allowed.join(", ")}`);
  for (const [name, found] of Object.entries(fields)) {
    if (!allowed.includes(name)) {
      throw new InvalidInput(`${field}.${name}`, found, allowed.join(", "));
    }
  }
  return fields;
}

function plainObject(value: unknown, field: string, allowed: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new InvalidInput(field, value, allowed);
}
