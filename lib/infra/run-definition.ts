import { Duration } from "aws-cdk-lib";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import {
  Choice,
  Condition,
  DistributedMap,
  Fail,
  type IChainable,
  Pass,
  ProvideItems,
  StateMachineType,
  Succeed,
  TaskInput,
  Timeout,
} from "aws-cdk-lib/aws-stepfunctions";
import { LambdaInvoke, type LambdaInvokeJsonataProps } from "aws-cdk-lib/aws-stepfunctions-tasks";
import type { Construct } from "constructs";
import type { Driver } from "./driver.ts";

export interface RunDefinitionProps {
  readonly driver: Driver;
  /** What stands in the stack, for the state Plan: Deployment of lambdas/driver/messages.ts. */
  readonly deployment: object;
  /** Every measured function, for the state Restore. */
  readonly functionNames: readonly string[];
}

/** Errors in calling a driver, not of its work: on a control path they may be tried again. */
const callErrors = [
  "Lambda.ClientExecutionTimeoutException",
  "Lambda.ServiceException",
  "Lambda.AWSLambdaException",
  "Lambda.SdkClientException",
  "Lambda.TooManyRequestsException",
];

const caught = `{"error": $states.errorOutput.Error, "cause": $states.errorOutput.Cause}`;
const caughtFirst = `($exists($failure.error) ? $failure : ${caught})`;

/** Characters of what is told of a failed experiment: those of all stand together in the state. */
const longestCause = 2000;

/** ARN of the execution; a child of the distributed Map has one of its own. */
const execution = "$states.context.Execution.Id";

/** The experiment that is being measured: PlannedExperiment of lambdas/driver/messages.ts. */
const experiment = "$run.experiments[$at]";
const nextExperiment = { at: "{% $at + 1 %}", block: 0, failure: {}, look: {} };

/** Until which block nothing is asked, and whether anything then is: StoppingLook of lib/contract. */
const blocksBeforeLook = `($exists($look.nextLook) ? $look.nextLook : ${experiment}.blockCount)`;
const isToLook = `${experiment}.isUntilPrecise = true and $not($exists($look.endedBy))`;

/** The block's visits in their order; the brackets keep a block of one cell an array. */
const visitsOfBlock =
  `($plan := ${experiment}; [$map($plan.order[$block], function($index) { $merge([` +
  `{"folder": $plan.folder, "block": $block, "execution": ${execution}}, $plan.cells[$index]]) })])`;

/** Of every experiment its name and folder; the brackets keep one an array. */
const folders =
  '[$map($run.experiments, function($each) { {"experiment": $each.experiment, "folder": $each.folder} })]';

/** What a driver throws that hands its visit over, with how far it came: lambdas/driver/visit-handed-over.ts. */
const handedOver = "VisitHandedOver";
const progress = "$parse($parse($states.errorOutput.Cause).errorMessage)";

/**
 * Plan; then for each experiment Seed, block after block a distributed Map over the block's cells, with
 * a stopping rule Precision after some of them, Restore, Report; then Overview. Whatever fails an experiment leads to its Restore and to the report
 * of what was measured, the others go on, and in the end the run has failed.
 * https://docs.aws.amazon.com/step-functions/latest/dg/state-map-distributed.html
 */
export function runDefinition(scope: Construct, props: RunDefinitionProps): IChainable {
  const { driver, deployment, functionNames } = props;
  const plan = planState(scope, driver.of("plan"), deployment);
  const seed = controlTask(scope, "Seed", driver.of("seed"), jsonata(`${experiment}.seed`));
  const measureBlock = measureBlockState(scope, driver);
  const restore = controlTask(scope, "Restore", driver.of("restore"), {
    functionNames,
    execution: jsonata(execution),
  });
  const report = reportState(scope, driver.of("report"));
  const precision = precisionState(scope, driver.of("precision"));
  for (const state of [seed, measureBlock, precision]) {
    state.addCatch(restore, { assign: { failure: jsonata(caught) } });
  }
  const blocksLeft = new Choice(scope, "Blocks left?")
    .when(Condition.jsonata(jsonata(`$block < ${blocksBeforeLook}`)), measureBlock)
    .when(Condition.jsonata(jsonata(isToLook)), precision)
    .otherwise(restore);
  plan.next(seed).next(measureBlock).next(blocksLeft);
  precision.next(blocksLeft);
  // What cannot be restored hides neither what was measured nor an earlier failure.
  restore.addCatch(report, { assign: { failure: jsonata(caughtFirst) } }).next(report);
  const experimentsLeft = new Choice(scope, "Experiments left?")
    .when(Condition.jsonata(jsonata("$at < $count($run.experiments)")), seed)
    .otherwise(overviewStates(scope, driver.of("overview")));
  report.addCatch(experimentsLeft, {
    assign: { ...nextExperiment, failures: failed(caughtFirst) },
  });
  report.next(experimentsLeft);
  return plan;
}

function planState(scope: Construct, driver: LambdaFunction, deployment: object): LambdaInvoke {
  const payload = {
    input: jsonata("$states.input"),
    deployment,
    execution: jsonata(execution),
  };
  const first = { at: 0, block: 0, failure: {}, look: {}, failures: [] };
  const plan = controlTask(scope, "Plan", driver, payload, {
    assign: { run: jsonata("$states.result.Payload"), ...first },
  });
  plan.addCatch(
    Fail.jsonata(scope, "Not started", {
      error: jsonata("$states.input.Error"),
      cause: jsonata(messageOf("$states.input.Error", "$states.input.Cause")),
    }),
  );
  return plan;
}

/** Reads what was measured, and says until which block the experiment goes on, or why it ends. */
function precisionState(scope: Construct, driver: LambdaFunction): LambdaInvoke {
  const payload = { folder: jsonata(`${experiment}.folder`), blocks: jsonata("$block") };
  return controlTask(scope, "Precision", driver, payload, {
    assign: { look: jsonata("$states.result.Payload") },
  });
}

function reportState(scope: Construct, driver: LambdaFunction): LambdaInvoke {
  const payload = {
    folder: jsonata(`${experiment}.folder`),
    cells: jsonata(`${experiment}.cells`),
    look: jsonata("$look"),
    failure: jsonata("$failure"),
  };
  return controlTask(scope, "Report", driver, payload, {
    assign: { ...nextExperiment, failures: failed("$failure") },
  });
}

/** The experiments that failed so far, with the current one where it did. */
function failed(failure: string, name = `${experiment}.experiment`): string {
  const cause = `$substring(${messageOf("$first.error", "$first.cause")}, 0, ${longestCause})`;
  const entry = `{"experiment": ${name}, "error": $first.error, "cause": ${cause}}`;
  return jsonata(
    `($first := ${failure}; $exists($first.error) ? $append($failures, [${entry}]) : $failures)`,
  );
}

function measureBlockState(scope: Construct, driver: Driver): DistributedMap {
  const recordFailure = controlTask(
    scope,
    "Record failure",
    driver.of("record-failure"),
    jsonata("$states.input"),
  );
  const measure = LambdaInvoke.jsonata(scope, "Measure", {
    comment:
      "One visit: force cold, cold, second, warm; another driver goes on where one's time has " +
      "ended. Never retried: a retry would hide a failure",
    lambdaFunction: driver.of("measure"),
    payload: TaskInput.fromText(jsonata("$states.input")),
    retryOnServiceExceptions: false,
    taskTimeout: Timeout.duration(Duration.minutes(16)),
    outputs: {},
  });
  // By way of a state that does nothing: LocalEmu ends an execution whose state is its own next one.
  const goOn = Pass.jsonata(scope, "Go on", { comment: "Another driver, in the same environment" });
  measure.addCatch(goOn.next(measure), {
    errors: [handedOver],
    outputs: jsonata(`$merge([$states.input, {"progress": ${progress}}])`),
  });
  measure.addCatch(recordFailure, { outputs: jsonata(`$merge([$states.input, ${caught}])`) });
  return DistributedMap.jsonata(scope, "Measure block", {
    comment: "Every cell once, in the block's seeded order",
    items: ProvideItems.jsonata(jsonata(visitsOfBlock)),
    jsonataMaxConcurrency: jsonata("$run.lanes"),
    mapExecutionType: StateMachineType.STANDARD,
    assign: { block: jsonata("$block + 1") },
    outputs: {},
  }).itemProcessor(measure);
}

/** The report's addresses and what was found; or which experiments failed, and where the report is. */
function overviewStates(scope: Construct, driver: LambdaFunction): IChainable {
  const payload = {
    runId: jsonata("$run.runId"),
    experiments: jsonata(folders),
    failures: jsonata("$failures"),
  };
  const overview = controlTask(scope, "Overview", driver, payload, {
    outputs: jsonata("$states.result.Payload"),
  });
  const causes =
    '$join($map($failures, function($each) { $each.experiment & ": " & $each.cause }), "; ")';
  const where =
    '($exists($states.input.files."report.md") ? ' +
    '"; what was measured: " & $lookup($states.input.files, "report.md") : "")';
  const runFailed = Fail.jsonata(scope, "Run failed", {
    error: jsonata("$failures[0].error"),
    cause: jsonata(`${causes} & ${where}`),
  });
  const anyFailed = new Choice(scope, "Failed?")
    .when(Condition.jsonata(jsonata("$count($failures) > 0")), runFailed)
    .otherwise(Succeed.jsonata(scope, "Done"));
  overview.addCatch(runFailed, { assign: { failures: failed(caught, '"overview"') } });
  return overview.next(anyFailed);
}

/** A driver's call that may be tried again: its work can be done twice, and does not measure. */
function controlTask(
  scope: Construct,
  id: string,
  lambdaFunction: LambdaFunction,
  payload: object | string,
  results: Pick<LambdaInvokeJsonataProps, "assign" | "outputs"> = {},
): LambdaInvoke {
  const task = LambdaInvoke.jsonata(scope, id, {
    lambdaFunction,
    payload:
      typeof payload === "string"
        ? TaskInput.fromText(payload)
        : TaskInput.fromObject({ ...payload }),
    retryOnServiceExceptions: false,
    outputs: {},
    ...results,
  });
  task.addRetry({
    errors: callErrors,
    interval: Duration.seconds(2),
    maxAttempts: 3,
    backoffRate: 2,
  });
  return task;
}

/** The errorMessage that Lambda wraps in JSON; or the cause as it stands; or the error's name. */
function messageOf(error: string, cause: string): string {
  const isWrapped = `$contains(${cause}, "\\"errorMessage\\"")`;
  const message = `${isWrapped} ? $parse(${cause}).errorMessage : ${cause}`;
  return `($exists(${cause}) ? (${message}) : ${error})`;
}

function jsonata(expression: string): string {
  return `{% ${expression} %}`;
}
