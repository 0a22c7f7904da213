import { describe, expect, it } from "vitest";
import { experiments } from "../../lib/experiment/catalogue.ts";
import { synthTemplate } from "../support/synth.ts";

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const limits = { resources: 500, templateBytes: 1024 * 1024 } as const;
/** https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html */
const definitionLimitBytes = 1024 * 1024;

const everything = {
  experiments: experiments.map(({ id }) => id).join(","),
  maxMemory: "10240",
  architectures: "arm64,x86_64",
};

describe("the largest stack: every experiment in all of its sizes, on both architectures", () => {
  const template = synthTemplate(everything);
  const { Resources } = template.toJSON() as {
    readonly Resources: Readonly<Record<string, object>>;
  };

  it("has a function for each cell", () => {
    const measured = Object.values(template.findResources("AWS::Lambda::Function")).filter(
      ({ Properties }) => String(Properties.Description).startsWith("Kelvin: "),
    );
    const cells = experiments.flatMap(({ variants, memoryMb }) =>
      // The twin is one cell more, of one architecture.
      [...Array(variants.length * memoryMb.length * 2 + 1)],
    );
    expect(measured).toHaveLength(cells.length);
  });

  it("has no more resources than CloudFormation allows in a stack, and no larger template", () => {
    expect(Object.keys(Resources).length).toBeLessThanOrEqual(limits.resources);
    expect(JSON.stringify(template.toJSON()).length).toBeLessThanOrEqual(limits.templateBytes);
  });

  it("has a state machine whose definition is no longer than Step Functions allows", () => {
    const [machine] = Object.values(template.findResources("AWS::StepFunctions::StateMachine"));
    const definition = JSON.stringify(machine?.Properties.DefinitionString);
    expect(definition.length).toBeLessThanOrEqual(definitionLimitBytes);
  });
});
