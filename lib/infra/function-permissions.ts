import { Stack } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import {
  Effect,
  type IManagedPolicy,
  ManagedPolicy,
  PolicyStatement,
  type Role,
} from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import type { FunctionPermissions } from "../contract/types/contract.ts";
import type { Experiment, ExperimentBucket, ExperimentTable, Variant } from "../plan/experiment.ts";
import { measuredByTag } from "./own-resources.ts";

/** An experiment and the data that its functions use. */
export interface ExperimentData {
  readonly experiment: Experiment;
  /**
   * The table that the functions use.
   * @default - none
   */
  readonly table?: Table;
  /**
   * The bucket that the functions use.
   * @default - none
   */
  readonly bucket?: Bucket;
}

export function grantCalls(role: Role, variant: Variant, props: ExperimentData): void {
  const { experiment, table, bucket } = props;
  if (table !== undefined && experiment.table !== undefined) {
    for (const statement of tableStatements(experiment.table, table)) role.addToPolicy(statement);
  }
  if (bucket !== undefined && experiment.bucket !== undefined) {
    for (const statement of bucketStatements(experiment.bucket, bucket))
      role.addToPolicy(statement);
  }
  if (variant.unscopedCalls !== undefined) {
    const actions = [...variant.unscopedCalls];
    role.addToPolicy(new PolicyStatement({ actions, resources: ["*"] }));
  }
}

export function listManagedPolicies(
  scope: Construct,
  id: string,
  { managedPolicies = [] }: FunctionPermissions = {},
): IManagedPolicy[] {
  return managedPolicies.map((policy, index) =>
    policy.startsWith("arn:")
      ? ManagedPolicy.fromManagedPolicyArn(scope, `${id}-Policy-${index}`, policy)
      : ManagedPolicy.fromAwsManagedPolicyName(policy),
  );
}

/**
 * Grants a user's functions the permissions that they were given, but denies any change or call of a measured
 * function. The results bucket denies them access itself.
 */
export function grantPermissions(role: Role, { statements = [] }: FunctionPermissions = {}): void {
  for (const { actions, resources } of statements) {
    role.addToPolicy(new PolicyStatement({ actions, resources }));
  }
  const stack = Stack.of(role);
  role.addToPolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      actions: ["lambda:*"],
      resources: ["*"],
      conditions: { StringEquals: { [`aws:ResourceTag/${measuredByTag}`]: stack.stackId } },
    }),
  );
}

/**
 * Writes are limited by partition key: a condition checks the keys of all items of a request.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
function tableStatements({ calls, writes }: ExperimentTable, table: Table): PolicyStatement[] {
  const resources = [table.tableArn];
  const statements = [new PolicyStatement({ actions: [...calls], resources })];
  if (writes !== undefined) {
    const keys = writes.keyPrefixes.map((prefix) => `${prefix}*`);
    const conditions = { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": keys } };
    statements.push(new PolicyStatement({ actions: [...writes.calls], resources, conditions }));
  }
  return statements;
}

/** Allows listing the experiment's prefix, and its calls on the objects below it. */
function bucketStatements(
  { prefix, objectCalls }: ExperimentBucket,
  bucket: Bucket,
): readonly PolicyStatement[] {
  return [
    new PolicyStatement({
      actions: ["s3:ListBucket"],
      resources: [bucket.bucketArn],
      conditions: { StringEquals: { "s3:prefix": prefix } },
    }),
    new PolicyStatement({
      actions: [...objectCalls],
      resources: [bucket.arnForObjects(`${prefix}*`)],
    }),
  ];
}
