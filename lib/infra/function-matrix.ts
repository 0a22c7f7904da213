import { Stack, Tags } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type { Cell } from "../contract/types/contract.ts";
import { bucketVariables } from "../experiment/bucket-variables.ts";
import type { Experiment } from "../experiment/experiment.ts";
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

/** The functions of an experiment, one a cell, with one role and one log group for all of them. */
export class FunctionMatrix extends Construct {
  readonly logGroup: LogGroup;
  readonly functions: ReadonlyMap<string, LambdaFunction>;

  constructor(scope: Construct, id: string, props: FunctionMatrixProps) {
    super(scope, id);
    const { experiment, cells } = props;
    this.logGroup = ownLogGroup(this, "LogGroup");
    const role = new Role(this, "Role", {
      description: `The measured functions of Kelvin's experiment ${experiment.id}`,
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    });
    this.logGroup.grantWrite(role);
    grantCalls(role, props);
    const shared = {
      role,
      logGroup: this.logGroup,
      timeoutSeconds: experiment.timeoutSeconds,
      environment: dataVariables(props),
    };
    this.functions = new Map(
      cells.map((cell) => {
        const variant = variantOf(experiment, cell.variant);
        return [cell.id, measuredFunction(this, { cell, variant, ...shared })];
      }),
    );
    const includeResourceTypes = ["AWS::Lambda::Function"];
    Tags.of(this).add(measuredByTag, Stack.of(this).stackId, { includeResourceTypes });
  }
}

function grantCalls(role: Role, { experiment, table, bucket }: FunctionMatrixProps): void {
  table?.grant(role, ...(experiment.table?.calls ?? []));
  if (bucket !== undefined && experiment.bucket !== undefined) {
    for (const statement of bucketStatements(experiment.bucket, bucket))
      role.addToPolicy(statement);
  }
  const unscoped = [...(experiment.unscopedCalls ?? [])];
  if (unscoped.length > 0) {
    role.addToPolicy(new PolicyStatement({ actions: unscoped, resources: ["*"] }));
  }
}

function dataVariables({ experiment, table, bucket }: FunctionMatrixProps) {
  return {
    ...(table !== undefined && { TABLE_NAME: table.tableName }),
    ...(bucket !== undefined &&
      experiment.bucket !== undefined &&
      bucketVariables(experiment.bucket, bucket.bucketName)),
  };
}
