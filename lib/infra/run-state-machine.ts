import { ArnFormat, Stack } from "aws-cdk-lib";
import { Policy, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  type IChainable,
  QueryLanguage,
  StateMachine,
  StateMachineType,
  Succeed,
} from "aws-cdk-lib/aws-stepfunctions";
import type { LambdaInvoke } from "aws-cdk-lib/aws-stepfunctions-tasks";
import { Construct } from "constructs";
import type { Deployment } from "../plan/deployment.ts";
import type {
  OverviewRequest,
  PlanRequest,
  ReportRequest,
  RestoreRequest,
} from "../run/messages.ts";
import type { Driver } from "./driver.ts";
import {
  blockStates,
  blocksInCap,
  caught,
  caughtFirst,
  controlTask,
  execution,
  failuresWith,
  firstExperiment,
  jsonata,
  messageExpression,
  nextExperiment,
  ofExperiment,
  requestOf,
} from "./run-states.ts";

/**
 * The state machine of a run. It keeps its history but has no log: delivering one requires permissions on all log
 * groups of the account (logs:CreateLogDelivery and six others cannot be limited to a resource).
 * https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html
 */
export class RunStateMachine extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, props: RunDefinitionProps) {
    super(scope, id);
    const role = new Role(this, "Role", {
      description: "Kelvin's state machine",
      assumedBy: new ServicePrincipal("states.amazonaws.com"),
    });
    this.stateMachine = new StateMachine(this, "StateMachine", {
      comment: "Kelvin: measures Lambda functions cold and warm. Start it with {}",
      stateMachineType: StateMachineType.STANDARD,
      queryLanguage: QueryLanguage.JSONATA,
      definitionBody: DefinitionBody.fromChainable(runDefinition(this, props)),
      // The constructs' own grants would cover every version of the drivers.
      role: role.withoutPolicyUpdates(),
    });
    new Policy(this, "Policy", { roles: [role], statements: this.#statements(props) });
    this.#allowLookingAtExecutions(props.driver);
  }

  /**
   * Lets the state Plan check whether another execution is running, and the drivers that call functions whether their
   * own still is. It is a separate policy that no function depends on, to avoid a cycle: the state machine depends on
   * the functions, and this on the state machine.
   */
  #allowLookingAtExecutions(driver: Driver): void {
    const roles = (["plan", "try-functions", "measure"] as const).map((name) =>
      driver.roleOf(name),
    );
    const actions = ["states:DescribeExecution"];
    const statement = new PolicyStatement({ actions, resources: [this.#executionsArn] });
    new Policy(this, "ExecutionsPolicy", { roles, statements: [statement] });
  }

  /** The name comes from the ARN, because LocalEmu loses the attribute Name when it updates a stack. */
  get #executionsArn(): string {
    return this.#executionsOf("");
  }

  /** ARN of the distributed Map's child executions, whose names start with the Map's label. */
  get #childExecutionsArn(): string {
    return this.#executionsOf("/*");
  }

  #executionsOf(children: string): string {
    const stack = Stack.of(this);
    const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
    const { resourceName } = stack.splitArn(this.stateMachine.stateMachineArn, arnFormat);
    const resource = `execution:${resourceName}${children}`;
    return stack.formatArn({ service: "states", resource, arnFormat, resourceName: "*" });
  }

  /** https://docs.aws.amazon.com/step-functions/latest/dg/iam-policies-eg-dist-map.html */
  #statements({ driver }: RunDefinitionProps): PolicyStatement[] {
    const { stateMachineArn } = this.stateMachine;
    return [
      new PolicyStatement({
        actions: ["lambda:InvokeFunction"],
        resources: driver.all.map((handler) => handler.functionArn),
      }),
      new PolicyStatement({ actions: ["states:StartExecution"], resources: [stateMachineArn] }),
      new PolicyStatement({
        actions: ["states:DescribeExecution", "states:StopExecution"],
        resources: [this.#executionsArn],
      }),
      // Redriving an execution also redrives its children that did not succeed.
      // https://docs.aws.amazon.com/step-functions/latest/dg/redrive-map-run.html#maprun-iam-permission
      new PolicyStatement({
        actions: ["states:RedriveExecution"],
        resources: [this.#childExecutionsArn],
      }),
    ];
  }
}

interface RunDefinitionProps {
  readonly driver: Driver;
  /** Passed to the state Plan. */
  readonly deployment: Deployment;
  /** Names of all measured functions, for the state Restore. */
  readonly functionNames: readonly string[];
  /** The command that fetches a run, without the run's id. */
  readonly fetchCommand: string;
}

/** Name and folder of every experiment. The brackets keep a single one an array. */
const folders =
  '[$map($run.experiments, function($each) { {"experiment": $each.experiment, "folder": $each.folder} })]';

/**
 * The states are Plan; for each experiment Seed, Try functions, its blocks, Restore and Report; then Overview. If an
 * experiment fails, its Restore and the report of what was measured follow. The other experiments go on, and the run
 * fails at the end.
 */
function runDefinition(scope: Construct, props: RunDefinitionProps): IChainable {
  const { driver, deployment, functionNames, fetchCommand } = props;
  const plan = planState(scope, driver.functionFor("plan"), deployment);
  const restoreRequest = requestOf<RestoreRequest>({
    functionNames,
    execution: jsonata(execution),
  });
  const seed = controlTask(
    scope,
    "Seed",
    driver.functionFor("seed"),
    jsonata(ofExperiment("seed")),
  );
  const restore = controlTask(scope, "Restore", driver.functionFor("restore"), restoreRequest);
  const report = reportState(scope, driver.functionFor("report"));
  seed.addCatch(restore, { assign: { failure: jsonata(caught) } });
  plan.next(seed).next(blockStates(scope, driver, restore));
  // A failed restore still leads to the report, and does not replace an earlier failure.
  restore.addCatch(report, { assign: { failure: jsonata(caughtFirst) } }).next(report);
  const comment = "The next experiment follows a failed one too";
  const experimentsLeft = new Choice(scope, "Experiments left?", { comment })
    .when(Condition.jsonata(jsonata("$at < $count($run.experiments)")), seed)
    .otherwise(overviewStates(scope, driver.functionFor("overview"), fetchCommand));
  report.addCatch(experimentsLeft, {
    assign: { ...nextExperiment, failures: failuresWith(caughtFirst) },
  });
  report.next(experimentsLeft);
  return plan;
}

function planState(scope: Construct, driver: LambdaFunction, deployment: Deployment): LambdaInvoke {
  const payload = requestOf<PlanRequest>({
    input: jsonata("$states.input"),
    deployment,
    execution: jsonata(execution),
  });
  const plan = controlTask(scope, "Plan", driver, payload, {
    assign: { run: jsonata("$states.result.Payload"), ...firstExperiment },
  });
  plan.addCatch(
    Fail.jsonata(scope, "Not started", {
      comment: "The input or the account does not allow the run: nothing was invoked",
      error: jsonata("$states.input.Error"),
      cause: jsonata(messageExpression("$states.input.Error", "$states.input.Cause")),
    }),
  );
  return plan;
}

function reportState(scope: Construct, driver: LambdaFunction): LambdaInvoke {
  const payload = requestOf<ReportRequest>({
    folder: jsonata(ofExperiment("folder")),
    cells: jsonata(ofExperiment("cells")),
    look: jsonata("$look"),
    failure: jsonata("$failure"),
    cap: jsonata(blocksInCap),
    spentUsd: jsonata("$spentUsd"),
  });
  return controlTask(scope, "Report", driver, payload, {
    assign: { ...nextExperiment, failures: failuresWith("$failure") },
  });
}

/** Outputs the report's addresses and findings or, on failure, the failed experiments and the report's address. */
function overviewStates(
  scope: Construct,
  driver: LambdaFunction,
  fetchCommand: string,
): IChainable {
  const payload = requestOf<OverviewRequest>({
    runId: jsonata("$run.runId"),
    experiments: jsonata(folders),
    failures: jsonata("$failures"),
    // The brackets keep a single one an array.
    warnings: jsonata("[$run.warnings]"),
    fetchCommand,
  });
  const overview = controlTask(scope, "Overview", driver, payload, {
    outputs: jsonata("$states.result.Payload"),
  });
  const causes =
    '$join($map($failures, function($each) { $each.experiment & ": " & $each.cause }), "; ")';
  const samples = '($exists($states.input.samples) ? "; " & $states.input.samples : "")';
  const where =
    '($exists($states.input.files."report.md") ? ' +
    '"; what was measured: " & $lookup($states.input.files, "report.md") : "")';
  const runFailed = Fail.jsonata(scope, "Run failed", {
    comment: "An experiment failed; what was measured is reported",
    error: jsonata("$failures[0].error"),
    cause: jsonata(`${causes} & ${samples} & ${where}`),
  });
  const anyFailed = new Choice(scope, "Failed?", { comment: "Whether any experiment failed" })
    .when(Condition.jsonata(jsonata("$count($failures) > 0")), runFailed)
    .otherwise(
      Succeed.jsonata(scope, "Done", { comment: "The output has the report's addresses" }),
    );
  overview.addCatch(runFailed, { assign: { failures: failuresWith(caught, '"overview"') } });
  return overview.next(anyFailed);
}
