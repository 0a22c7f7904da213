import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { definitionOf } from "../support/asl-definition.ts";
import { stackContexts, templateOf } from "../support/stack-contexts.ts";

/** asl-validator brings no types. */
const validate = createRequire(import.meta.url)("asl-validator") as (definition: object) => {
  readonly errorsText: () => string;
};

/** The definition as text, with a real partition in its ARNs. */
const textOf = (context: string) =>
  JSON.stringify(definitionOf(templateOf(context))).replaceAll("AWS::Partition", "aws");
const problemsOf = (definition: string) => validate(JSON.parse(definition)).errorsText();

describe("a validator of the Amazon States Language (asl-validator)", () => {
  it.each(Object.keys(stackContexts))("accepts the state machine with %s", (context) => {
    expect(problemsOf(textOf(context))).toBe("");
  });

  const refused: readonly (readonly [string, string, string, string])[] = [
    ["a state that is not there", '"Next":"Seed"', '"Next":"Sead"', "MISSING_TRANSITION_TARGET"],
    [
      "a field of JSONPath",
      '"Type":"Succeed"',
      '"Type":"Succeed","OutputPath":"$"',
      "/States/Done",
    ],
    ["a condition that is no JSONata", '"{% $block < ', '"$block < ', "/Condition is invalid"],
    ["a resource that is no ARN", "arn:aws:states:::lambda", "states:::lambda", "Resource"],
  ];

  it.each(refused)("would refuse %s", (_, valid, invalid, problem) => {
    const definition = textOf("no context");
    expect(definition).toContain(valid);
    expect(problemsOf(definition.replace(valid, invalid))).toContain(problem);
  });
});
