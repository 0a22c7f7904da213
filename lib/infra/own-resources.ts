import { Aws, CfnResource, type IAspect, RemovalPolicy } from "aws-cdk-lib";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { BlockPublicAccess, BucketEncryption } from "aws-cdk-lib/aws-s3";
import type { Construct, IConstruct } from "constructs";
import { functionsAtOnce } from "../plan/deployment.ts";

/** Creates a log group that the stack owns. Otherwise Lambda would create one, which outlives the stack. */
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
 * Tag on the functions that the stack's drivers may read, update and invoke. Its value is the stack's id, which is
 * unique. A policy condition on the tag keeps the policy the same size however large the matrix is
 * (docs/decisions/0024-the-drivers-know-functions-by-a-tag.md).
 */
export const measuredByTag = "kelvin-measured-by";

/** Condition under which a service may assume the roles: that it acts for this account, or none. */
export type TrustConditions = "sourceAccount" | "none";

/**
 * Orders the creation of a stack's functions in chains. CloudFormation would begin all of them at once, and roll back
 * if Lambda throttles one: https://github.com/aws/aws-cdk/issues/16971
 */
export class FunctionChains implements IAspect {
  readonly #functions: CfnResource[] = [];

  visit(node: IConstruct): void {
    if (!(node instanceof CfnResource) || node.cfnResourceType !== "AWS::Lambda::Function") return;
    const before = this.#functions.at(-functionsAtOnce);
    if (this.#functions.push(node) > functionsAtOnce && before) node.addResourceDependency(before);
  }
}

interface EveryRoleProps {
  readonly rolePath?: string;
  readonly trustConditions?: TrustConditions;
}

/**
 * Applies the same rules to every role of a tree, including those of CDK's own helpers: a service may assume it only
 * for resources in the stack's account, and it has the IAM path that an account may require. Both services that
 * assume roles here send the account that they act for.
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
    const { rolePath, trustConditions = "sourceAccount" } = this.#props;
    if (trustConditions === "sourceAccount") {
      // Each role has one trust statement, as test/infra/every-context.test.ts checks.
      node.addPropertyOverride("AssumeRolePolicyDocument.Statement.0.Condition", {
        StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID },
      });
    }
    if (rolePath !== undefined) node.addPropertyOverride("Path", rolePath);
  }
}
