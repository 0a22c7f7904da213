import { Aws, CfnResource, type IAspect, RemovalPolicy } from "aws-cdk-lib";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { BlockPublicAccess, BucketEncryption } from "aws-cdk-lib/aws-s3";
import type { Construct, IConstruct } from "constructs";

/** A log group that the stack owns. Otherwise Lambda would create one, which outlives the stack. */
export function ownLogGroup(scope: Construct, id: string): LogGroup {
  return new LogGroup(scope, id, {
    retention: RetentionDays.ONE_WEEK,
    removalPolicy: RemovalPolicy.DESTROY,
  });
}

/** Properties of every bucket of the stack: private, over TLS only, encrypted. */
export const privateBucket = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
} as const;

/** Tag on every resource that takes tags. */
export const projectTag = { key: "project", value: "kelvin" } as const;

/**
 * Tag on the functions that the stack's drivers may read, update and invoke, and on nothing else. Its value is
 * the stack's id, which no other stack has: with the tag in a policy's condition, the policy is of the same
 * size however large the matrix is (docs/decisions/0024-the-drivers-know-functions-by-a-tag.md).
 */
export const measuredByTag = "kelvin-measured-by";

/** TrustConditions say what a service must prove to assume a role: the account that it does so for, or nothing. */
export type TrustConditions = "sourceAccount" | "none";

interface EveryRoleProps {
  readonly path: string | undefined;
  readonly trustConditions: TrustConditions;
}

/**
 * EveryRole applies the same rules to every role of a tree, including the roles of CDK's own helpers: a service may assume
 * it only for resources in the stack's own account, and it has the IAM path that an account may demand. Both services
 * that assume roles here say for which account they do.
 * https://docs.aws.amazon.com/step-functions/latest/dg/procedure-create-iam-role.html#prevent-cross-service-confused-deputy
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-intro-execution-role.html
 */
export class EveryRole implements IAspect {
  readonly #props: EveryRoleProps;

  constructor(props: EveryRoleProps) {
    this.#props = props;
  }

  visit(node: IConstruct): void {
    if (!(node instanceof CfnResource) || node.cfnResourceType !== "AWS::IAM::Role") return;
    const { path, trustConditions } = this.#props;
    if (trustConditions === "sourceAccount") {
      // Each role has one statement of trust: test/infra/every-context.test.ts.
      node.addPropertyOverride("AssumeRolePolicyDocument.Statement.0.Condition", {
        StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID },
      });
    }
    if (path !== undefined) node.addPropertyOverride("Path", path);
  }
}
