import {
  Annotations,
  Aspects,
  Aws,
  CfnCondition,
  CfnOutput,
  DefaultStackSynthesizer,
  Fn,
  type IStackSynthesizer,
  PermissionsBoundary,
  RemovalPolicy,
  Stack,
  type StackProps,
  Tags,
  Token,
} from "aws-cdk-lib";
import { AttributeType, BillingMode, Table } from "aws-cdk-lib/aws-dynamodb";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { Bucket, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import type { Cell, Prices } from "../contract/types/contract.ts";
import { type DeployedExperiment, uploadPrefix } from "../plan/deployment.ts";
import type { Experiment, ExperimentProtocol, Preset } from "../plan/experiment.ts";
import { findVariant } from "../plan/matrix.ts";
import { isRepository } from "../toolchain/project-paths.ts";
import { requireCargoLambda } from "../toolchain/rust-toolchain.ts";
import { Driver } from "./driver.ts";
import { FunctionMatrix } from "./function-matrix.ts";
import {
  EveryRole,
  FunctionChains,
  privateBucket,
  projectTag,
  type TrustConditions,
} from "./own-resources.ts";
import { adoptBucketEmptier, ResultsBucket } from "./results-bucket.ts";
import { RunStateMachine } from "./run-state-machine.ts";

export interface KelvinStackProps extends StackProps {
  /** The experiments to deploy, each with its cells. Input `{}` runs all of them, in this order. */
  readonly experiments: readonly ExperimentCells[];
  /**
   * Preset of environments and calls for runs that name none.
   * @default "standard"
   */
  readonly preset?: Preset;
  /**
   * Whether the results outlive the stack.
   * @default false
   */
  readonly keepResults?: boolean;
  /**
   * IAM path of every role, for accounts that require one.
   * @default - IAM's own, "/"
   */
  readonly rolePath?: string;
  /**
   * Conditions in the roles' trust policies.
   * @default "sourceAccount"
   */
  readonly trustConditions?: TrustConditions;
  /**
   * Name or ARN of the managed policy that is the permissions boundary of every role.
   * @default - none
   */
  readonly permissionsBoundaryPolicy?: string;
  /**
   * AWS prices in the stack's region, for estimates and reports.
   * @default - Kelvin's own table
   */
  readonly prices?: Prices;
}

export interface ExperimentCells {
  readonly experiment: Experiment;
  readonly cells: readonly Cell[];
  /**
   * Descriptions of what was requested but is not deployed, such as sizes above the account's limit.
   * @default - nothing
   */
  readonly leftOut?: readonly string[];
}

interface ExperimentConstructs extends ExperimentCells {
  readonly matrix: FunctionMatrix;
  readonly data: DataTable | undefined;
  readonly objects: DataBucket | undefined;
}

/** All of Kelvin's resources in an account. `cdk deploy` creates them, and `cdk destroy` removes them all. */
export class KelvinStack extends Stack {
  constructor(scope: Construct, id: string, props: KelvinStackProps) {
    const { experiments, preset = "standard", keepResults = false, prices } = props;
    super(scope, id, stackProps(id, props));
    if (this.bundlingRequired) requireBuildTools(experiments);
    const results = new ResultsBucket(this, "Results", { keepResults });
    const { bucket } = results;
    const deployed = experiments.map((chosen) => this.#deploy(chosen));
    for (const { experiment, matrix } of deployed) {
      if (experiment.ownResults) this.#outputRoles(matrix, results);
    }
    adoptBucketEmptier(this);
    const functions = deployed.flatMap(({ matrix }) => [...matrix.functions.values()]);
    const tables = deployed.flatMap(({ data }) => data?.table ?? []);
    const cells = experiments.flatMap((chosen) => chosen.cells);
    const dataBuckets = deployed.flatMap(listDataBuckets);
    const driver = new Driver(this, "Driver", { bucket, cells, functions, tables, dataBuckets });
    const { stateMachine } = new RunStateMachine(this, "Conductor", {
      driver,
      deployment: {
        preset,
        experiments: Object.fromEntries(deployed.map(describeDeployment)),
        ...defined({ prices: prices && JSON.stringify(prices) }),
      },
      functionNames: functions.map((measured) => measured.functionName),
      fetchCommand: fetchCommand(bucket.bucketName),
    });
    Aspects.of(this).add(new EveryRole(props));
    Aspects.of(this).add(new FunctionChains());
    Tags.of(this).add(projectTag.key, projectTag.value);
    this.#outputs(stateMachine.stateMachineArn, bucket.bucketName, keepResults);
    this.#outputLogGroups([...deployed.flatMap(({ matrix }) => matrix.logGroups), driver.logGroup]);
  }

  #deploy(chosen: ExperimentCells): ExperimentConstructs {
    const { experiment, cells, leftOut = [] } = chosen;
    for (const cell of leftOut) {
      Annotations.of(this).addWarningV2(
        "kelvin:leftOut",
        `${experiment.id}: not deployed: ${cell}`,
      );
    }
    const data =
      experiment.table === undefined ? undefined : new DataTable(this, `${experiment.id}-data`);
    const objects =
      experiment.bucket === undefined
        ? undefined
        : new DataBucket(this, `${experiment.id}-objects`);
    const matrix = new FunctionMatrix(this, experiment.id, {
      experiment,
      cells,
      ...(data !== undefined && { table: data.table }),
      ...(objects !== undefined && { bucket: objects.bucket }),
    });
    return { ...chosen, matrix, data, objects };
  }

  /** Names the roles of a user's functions, for the question of `kelvin run`, and keeps them from the results. */
  #outputRoles({ roles }: FunctionMatrix, results: ResultsBucket): void {
    results.keepFrom([...roles.values()]);
    const arns = Object.fromEntries([...roles].map(([name, { roleArn }]) => [name, roleArn]));
    this.#output("FunctionRoles", "Whose permissions the copies have", this.toJsonString(arns));
  }

  #outputs(stateMachineArn: string, bucketName: string, keepResults: boolean): void {
    const page = `states/home?region=${this.region}#/statemachines/view/${stateMachineArn}`;
    const console = `https://${this.region}.${this.#consoleHost()}/${page}`;
    this.#output("StateMachine", "Start a run here, with {}", console);
    const fate = keepResults
      ? "are kept when the stack is destroyed"
      : "are deleted with the stack";
    this.#output("ResultsBucket", `The runs: they ${fate}`, bucketName);
    if (keepResults) {
      const deletion = `aws s3 rb s3://${bucketName} --force --region ${this.region}`;
      const note =
        "Deletes the kept runs and their bucket. Note it down: this output is deleted with the stack";
      this.#output("DeleteResults", note, deletion);
    }
    const note = "Downloads the runs and their reports to this machine";
    this.#output("FetchResults", note, fetchCommand(bucketName));
  }

  /** https://docs.aws.amazon.com/general/latest/gr/mgmt-console.html */
  #consoleHost(): string {
    const hostIn = (id: string, partition: string, host: string, otherwise: string) => {
      const expression = Fn.conditionEquals(Aws.PARTITION, partition);
      const condition = new CfnCondition(this, id, { expression });
      return Token.asString(Fn.conditionIf(condition.logicalId, host, otherwise));
    };
    const gov = ["aws-us-gov", "console.amazonaws-us-gov.com", "console.aws.amazon.com"] as const;
    return hostIn("InChina", "aws-cn", "console.amazonaws.cn", hostIn("InGovCloud", ...gov));
  }

  #outputLogGroups(groups: readonly LogGroup[]): void {
    const names = groups.map((group) => group.logGroupName).join(", ");
    this.#output("LogGroups", "What the functions logged", names);
  }

  #output(id: string, description: string, value: string): void {
    new CfnOutput(this, id, { description, value });
  }
}

function stackProps(id: string, props: KelvinStackProps): StackProps {
  const uploads = new DefaultStackSynthesizer({ bucketPrefix: uploadPrefix(id) });
  return {
    description: "Kelvin: cold and warm benchmarks of AWS Lambda functions",
    ...props,
    synthesizer: uploads as IStackSynthesizer,
    ...defined({ permissionsBoundary: findBoundary(props.permissionsBoundaryPolicy) }),
  };
}

function fetchCommand(bucketName: string): string {
  const kelvin = isRepository ? "npx tsx bin/kelvin.ts" : "kelvin";
  return `${kelvin} fetch --bucket ${bucketName}`;
}

function describeDeployment(deployed: ExperimentConstructs): [string, DeployedExperiment] {
  const { experiment, cells, matrix, data, objects, leftOut = [] } = deployed;
  const functions = Object.fromEntries(
    [...matrix.functions].map(([cellId, { functionName }]) => [cellId, functionName]),
  );
  const protocol = experiment.ownResults ? { protocol: protocolText(experiment) } : {};
  const table = data === undefined ? {} : { tableName: data.table.tableName };
  const bucket = objects === undefined ? {} : { bucketName: objects.bucket.bucketName };
  const leftOutField = leftOut.length === 0 ? {} : { leftOut };
  return [experiment.id, { cells, functions, ...protocol, ...table, ...bucket, ...leftOutField }];
}

/**
 * A state machine's definition is limited to 1 MB, and the input of a state to 256 KiB, which the user's events share
 * with everything else.
 * https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
 */
const mostProtocolBytes = 100_000;

/** Serialises how a user's functions are called, for the state Plan. Throws InvalidInput if it is too large. */
function protocolText({ variants: _, ownServices: __, ...protocol }: Experiment): string {
  const text = JSON.stringify(protocol satisfies ExperimentProtocol);
  const bytes = Buffer.byteLength(text);
  if (bytes <= mostProtocolBytes) return text;
  const allowed = `at most ${mostProtocolBytes} bytes of events and expected answers together on AWS`;
  throw new InvalidInput("events", bytes, allowed);
}

function listDataBuckets({ experiment, objects }: ExperimentConstructs) {
  const { bucket } = experiment;
  if (bucket === undefined || objects === undefined) return [];
  return [{ bucket: objects.bucket, prefix: bucket.prefix }];
}

function findBoundary(policy: string | undefined): PermissionsBoundary | undefined {
  if (policy === undefined) return undefined;
  return policy.startsWith("arn:")
    ? PermissionsBoundary.fromArn(policy)
    : PermissionsBoundary.fromName(policy);
}

function requireBuildTools(experiments: readonly ExperimentCells[]): void {
  const usesCargo = experiments.some(({ experiment, cells }) =>
    cells.some((cell) => findVariant(experiment, cell.variant).source.kind === "cargo"),
  );
  if (usesCargo) requireCargoLambda();
}

/**
 * The bucket that an experiment uses: private, TLS only, encrypted, deleted with the stack. Object ownership is
 * enforced, but GetObjectAcl still works and returns the owner's grant.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/about-object-ownership.html
 */
class DataBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bucket = new Bucket(this, "Bucket", {
      ...privateBucket,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
    });
  }
}

/** The table that an experiment uses: on-demand, deleted with the stack. */
class DataTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.table = new Table(this, "Table", {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}
