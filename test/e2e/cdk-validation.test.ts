import { CfnResource } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { stackContexts, stackOf } from "../support/stack-contexts.ts";
import { synthStack } from "../support/synth.ts";

describe("CDK's own validation of the template", () => {
  it.each(Object.keys(stackContexts))("finds no error with %s", (name) => {
    expect(() => Template.fromStack(stackOf(name, true))).not.toThrow();
  });

  it("would refuse a property that there is not", () => {
    const stack = synthStack({ memory: "128" }, true);
    const properties = { NoSuchProperty: true };
    new CfnResource(stack, "Wrong", { type: "AWS::S3::Bucket", properties });
    expect(() => Template.fromStack(stack)).toThrow(/valid/i);
  });
});
