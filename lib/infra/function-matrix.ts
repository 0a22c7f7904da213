import { Stack, Tags } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type { Cell } from "../contract/types/contract.ts";
import { bucketVariables } from "../experiment/bucket-variables.ts";
import type { Experiment, ExperimentTable, Variant } from "../experiment/experiment.ts";
import { variantOf } from "../experiment/matrix.ts";
import { bucketStatements } from "./bucket-statements.ts";
import { measuredFunction } from "./measured-function.ts";
import { ownLogGroup } from "./own-log-group.ts";
import { measuredByTag } from "./project-tag.ts";

export interface FunctionMatrixProps {
  readonly experiment: Experiment;
  readonly cells: readonly Cell[];
  /**
   * The table that the functions work on.
   * @default - none
   */
  readonly table?: Table;
  /**
   * The bucket that the functions work on.
   * @default - none
   */
  readonly bucket?: Bucket;
}

/**
 * The functions of an experiment, one a cell. Those of a variant share a role and a log group, and no other
 * variant may write there (docs/decisions/0029-a-role-and-a-log-group-a-variant.md).
 */
export class FunctionMatrix extends Construct {
  /** One a variant. */
  readonly logGroups: readonly LogGroup[];
  readonly functions: ReadonlyMap<string, LambdaFunction>;

  constructor(scope: Construct, id: string, props: FunctionMatrixProps) {
    super(scope, id);
    const { experiment, cells } = props;
    const { timeoutSeconds } = experiment;
    const environment = dataVariables(props);
    const owned = new Map<string, OwnOfVariant>();
    this.functions = new Map(
      cells.map((cell) => {
        const variant = variantOf(experiment, cell.variant);
        const own = owned.get(variant.id) ?? this.#ownOf(variant, props);
        owned.set(variant.id, own);
        const options = { cell, variant, ...own, timeoutSeconds, environment };
        return [cell.id, measuredFunction(this, options)];
      }),
    );
    this.logGroups = [...owned.values()].map(({ logGroup }) => logGroup);
    const includeResourceTypes = ["AWS::Lambda::Function"];
    Tags.of(this).add(measuredByTag, Stack.of(this).stackId, { includeResourceTypes });
  }

  #ownOf(variant: Variant, props: FunctionMatrixProps): OwnOfVariant {
    const logGroup = ownLogGroup(this, `${variant.id}-LogGroup`);
    const role = new Role(this, `${variant.id}-Role`, {
      description: `The measured functions of Kelvin's experiment ${props.experiment.id}, ${variant.id}`,
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    });
    logGroup.grantWrite(role);
    grantCalls(role, variant, props);
    return { role, logGroup };
  }
}

interface OwnOfVariant {
  readonly role: Role;
  readonly logGroup: LogGroup;
}

function grantCalls(role: Role, variant: Variant, props: FunctionMatrixProps): void {
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

/**
 * Writes are held to their partitions by the partition keys of a request's items, all of them.
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

function dataVariables({ experiment, table, bucket }: FunctionMatrixProps) {
  return {
    ...(table !== undefined && { TABLE_NAME: table.tableName }),
    ...(bucket !== undefined &&
      experiment.bucket !== undefined &&
      bucketVariables(experiment.bucket, bucket.bucketName)),
  };
}
