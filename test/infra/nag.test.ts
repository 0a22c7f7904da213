import { describe, expect, it } from "vitest";
import { type NagFinding, nagFindings } from "../support/nag-findings.ts";
import { stackContexts, templateOf } from "../support/stack-contexts.ts";
import { type NagSuppression, nagSuppressions } from "./nag-suppressions.ts";

const found = new Map(
  Object.keys(stackContexts).map((name) => [name, nagFindings(templateOf(name).toJSON())]),
);

function matches({ rule, on }: NagSuppression, finding: NagFinding): boolean {
  const isRule = typeof rule === "string" ? rule === finding.rule : rule.test(finding.rule);
  return isRule && on.test(finding.on);
}

describe("AWS's own rules (cdk-nag, AwsSolutions)", () => {
  it.each([...found.keys()])("find with %s nothing but what stands with its reason", (name) => {
    const unexplained = found
      .get(name)
      ?.filter((finding) => !nagSuppressions.some((suppression) => matches(suppression, finding)));
    expect(unexplained).toEqual([]);
  });

  it("have no exception that they no longer need", () => {
    const all = [...found.values()].flat();
    const stale = nagSuppressions.filter(
      (suppression) => !all.some((finding) => matches(suppression, finding)),
    );
    expect(stale).toEqual([]);
  });

  it("would find a bucket that answers without TLS", () => {
    const template = { Resources: { Open: { Type: "AWS::S3::Bucket" } } };
    expect(nagFindings(template)).toContainEqual({ rule: "AwsSolutions-S10", on: "Open" });
  });
});
