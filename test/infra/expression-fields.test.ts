import { readFileSync } from "node:fs";
import { join } from "node:path";
import jsonata from "jsonata";
import { expect, test } from "vitest";
import { definitionOf } from "../support/asl-definition.ts";
import { synthTemplate } from "../support/synth.ts";

const root = join(import.meta.dirname, "../..");

/** What Step Functions itself names: the context object, an error's output, a task's result, an object of `$match`. */
const stepFunctionsFields = [
  ...["context", "Execution", "Id", "Input", "RedriveCount", "StartTime", "Name"],
  ...["errorOutput", "Error", "Cause", "input", "result", "Payload", "errorMessage", "groups"],
];

/** Keys of ReportedRun's files. */
const fileNames = ["report.md"];

/** The fields that interfaces declare, of the messages between the states and of what they refer to. */
function declaredFields(): ReadonlySet<string> {
  const sources = [
    "lib/run/messages.ts",
    "lib/contract/types/contract.ts",
    "lib/plan/deployment.ts",
    "lib/sampler/trial-sample.ts",
  ].map((path) => readFileSync(join(root, path), "utf8"));
  const fields = sources.flatMap((source) =>
    [...source.matchAll(/^\s+(?:readonly )?(\w+)\??:/gm)].map(([, name = ""]) => name),
  );
  return new Set(fields);
}

/** Every field that an expression reads or writes: the names in its paths and the keys of its objects. */
function fieldsIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(fieldsIn);
  if (typeof node !== "object" || node === null) return [];
  const { type, value, lhs } = node as { type?: string; value?: unknown; lhs?: unknown };
  const own = type === "name" && typeof value === "string" ? [value] : [];
  const isObject = type === "unary" && value === "{" && Array.isArray(lhs);
  const keys = isObject
    ? (lhs as readonly (readonly { value: string }[])[]).flatMap(([key]) => key?.value ?? [])
    : [];
  return [...own, ...keys, ...Object.values(node).flatMap(fieldsIn)];
}

function expressionsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [/^\{%(.*)%\}$/s.exec(value)?.[1] ?? []].flat();
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(expressionsIn);
}

test("the state machine's expressions name no field that no message has", () => {
  const machine = definitionOf(synthTemplate({ memory: "128" }));
  const named = new Set(
    expressionsIn(machine).flatMap((expression) => fieldsIn(jsonata(expression).ast())),
  );
  expect(named.size).toBeGreaterThan(20);
  const declared = declaredFields();
  const known = new Set([...declared, ...stepFunctionsFields, ...fileNames]);
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
  for (const field of ["experiments", "blockCount", "isUntilPrecise", "nextLook", "order"]) {
    expect(named, field).toContain(field);
    expect(declared, field).toContain(field);
  }
});
