import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { CfnInclude } from "aws-cdk-lib/cloudformation-include";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, it } from "vitest";
import { stackContexts, templateOf } from "../support/stack-contexts.ts";
import { cdkOutdir, temporaryFolder } from "../support/temporary-folder.ts";

interface NagFinding {
  readonly rule: string;
  /** The resource's logical id without its hash. */
  readonly on: string;
}

/**
 * Returns the findings of cdk-nag's AwsSolutions rules. The template is read back as CloudFormation gets it: on the
 * constructs, the rules would miss overrides and CDK's own helpers.
 */
function nagFindings(template: object): readonly NagFinding[] {
  const templateFile = join(temporaryFolder(), "template.json");
  writeFileSync(templateFile, JSON.stringify(template));
  const stack = new Stack(new App({ outdir: cdkOutdir() }), "Nag");
  new CfnInclude(stack, "Template", { templateFile });
  const { violations } = new AwsSolutionsChecks().validateScope(stack);
  return violations.flatMap(({ ruleName, violatingResources }) =>
    violatingResources.map(({ constructPath = "" }) => ({
      rule: ruleName.replaceAll(/[0-9A-F]{8}(?=[.>])/g, ""),
      on: constructPath.replace(/^.*\//, "").replace(/[0-9A-F]{8}$/, ""),
    })),
  );
}

/** A finding of cdk-nag that stands, and why it does. */
interface NagSuppression {
  readonly rule: string | RegExp;
  /** Logical ids, without their hashes. */
  readonly on: RegExp;
  readonly reason: string;
}

const iam5 = "AwsSolutions-IAM5";

/** Every finding of the AwsSolutions rules that stands. One that is found no more must go from here. */
const nagSuppressions: readonly NagSuppression[] = [
  {
    rule: "AwsSolutions-S1",
    on: /^ResultsBucket$/,
    reason:
      "access logs would need a second bucket, without logs of its own and to be emptied as well; " +
      "what lies here are measurements, which only the driver's roles may read",
  },
  {
    rule: "AwsSolutions-S1",
    on: /^s3fanoutobjectsBucket$/,
    reason:
      "a hundred objects of sixteen letters, written anew before each run, gone with the stack",
  },
  {
    rule: `${iam5}[Resource::<s3fanoutobjectsBucket.Arn>/fanout/*]`,
    on: /^(s3fanout\w+|Driverseed)RoleDefaultPolicy$/,
    reason: "the seeded objects, all below one prefix: one call on each, and writing them",
  },
  {
    rule: "AwsSolutions-DDB3",
    on: /dataTable$/,
    reason: "the items are written anew before each run, and the table goes with the stack",
  },
  {
    rule: "AwsSolutions-L1",
    on: /python|^functions/,
    reason:
      "the runtime is a part of what is measured: the experiment or the user's file names it, not the newest",
  },
  {
    rule: `${iam5}[Resource::*]`,
    on: /^DriverplanRoleDefaultPolicy$/,
    reason: "lambda:GetAccountSettings takes no resource: its answer is the account's",
  },
  {
    rule: `${iam5}[Resource::*]`,
    on: /^firstrequestwarmedRoleDefaultPolicy$/,
    reason: "dynamodb:ListTables takes no resource: its answer is the account's",
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::<ResultsBucket\.Arn>\/runs\/\*\/[\w.*/-]+\]$/,
    on: /^Driver\w+Role(Default|Overflow)Policy\d?$/,
    reason: "a run's id is made when it starts; each path below it is named",
  },
  {
    rule: `${iam5}[Resource::arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:*]`,
    on: /^Driver(tryfunctions|measure|restore|report)RoleDefaultPolicy$/,
    reason:
      "a condition on a tag whose value is the stack's id narrows it to the measured functions: " +
      "their ARNs would not fit (docs/decisions/0024-the-drivers-know-functions-by-a-tag.md)",
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:.*Split.*"ConductorStateMachine\w+".*:\*\]$/,
    on: /^Conductor\w*Policy$/,
    reason: "the state machine's own executions, whose names are made when they start",
  },
  {
    rule: "AwsSolutions-SF1",
    on: /^ConductorStateMachine$/,
    reason:
      "delivering logs needs permissions on every log group of the account; a Standard execution " +
      "keeps its whole history for 90 days without (docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html)",
  },
  {
    rule: "AwsSolutions-SF2",
    on: /^ConductorStateMachine$/,
    reason:
      "traces would add to what is timed, and their permissions take no resource " +
      "(docs.aws.amazon.com/step-functions/latest/dg/xray-iam.html)",
  },
];

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
