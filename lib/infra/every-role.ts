import { Aws, CfnResource, type IAspect } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/**
 * What holds of every role of a tree, the roles of CDK's own helpers too: a service may assume it only for
 * what lies in the stack's own account, and it has the IAM path that an account may demand. Both services
 * that assume roles here say for which account they do.
 * https://docs.aws.amazon.com/step-functions/latest/dg/procedure-create-iam-role.html#prevent-cross-service-confused-deputy
 * https://github.com/aws/agent-toolkit-for-aws/blob/main/skills/core-skills/aws-iam/references/aws-iam-role-management.md
 */
export class EveryRole implements IAspect {
  readonly #path: string | undefined;

  constructor(path: string | undefined) {
    this.#path = path;
  }

  visit(node: IConstruct): void {
    if (!(node instanceof CfnResource) || node.cfnResourceType !== "AWS::IAM::Role") return;
    // Each role has one statement of trust: test/infra/every-context.test.ts.
    node.addPropertyOverride("AssumeRolePolicyDocument.Statement.0.Condition", {
      StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID },
    });
    if (this.#path !== undefined) node.addPropertyOverride("Path", this.#path);
  }
}
