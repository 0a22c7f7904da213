import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Choice, Condition, Fail, type IChainable, Succeed } from "aws-cdk-lib/aws-stepfunctions";
import type { LambdaInvoke } from "aws-cdk-lib/aws-stepfunctions-tasks";
import type { Construct } from "constructs";
import type { Deployment } from "../experiment/deployment.ts";
import { blockStates } from "./block-states.ts";
import type { Driver } from "./driver.ts";
import { controlTask } from "./driver-task.ts";
import {
  caught,
  caughtFirst,
  execution,
  experiment,
  failuresWith,
  firstExperiment,
  jsonata,
  messageOf,
  nextExperiment,
} from "./run-expressions.ts";

export interface RunDefinitionProps {
  readonly driver: Driver;
  /** What stands in the stack, for the state Plan. */
  readonly deployment: Deployment;
  /** Every measured function, for the state Restore. */
  readonly functionNames: readonly string[];
}

/** Of every experiment its name and folder; the brackets keep one an array. */
const folders =
  '[$map($run.experiments, function($each) { {"experiment": $each.experiment, "folder": $each.folder} })]';

/**
 * Plan; then for each experiment Seed, its blocks, Restore, Report; then Overview. Whatever fails an
 * experiment leads to its Restore and to the report of what was measured, the others go on, and in the end
 * the run has failed.
 */
export function runDefinition(scope: Construct, props: RunDefinitionProps): IChainable {
  const { driver, deployment, functionNames } = props;
  const plan = planState(scope, driver.of("plan"), deployment);
  const seed = controlTask(scope, "Seed", driver.of("seed"), jsonata(`${experiment}.seed`));
  const restore = controlTask(scope, "Restore", driver.of("restore"), {
    functionNames,
    execution: jsonata(execution),
  });
  const report = reportState(scope, driver.of("report"));
  seed.addCatch(restore, { assign: { failure: jsonata(caught) } });
  plan.next(seed).next(blockStates(scope, driver, restore));
  // What cannot be restored hides neither what was measured nor an earlier failure.
  restore.addCatch(report, { assign: { failure: jsonata(caughtFirst) } }).next(report);
  const experimentsLeft = new Choice(scope, "Experiments left?")
    .when(Condition.jsonata(jsonata("$at < $count($run.experiments)")), seed)
    .otherwise(overviewStates(scope, driver.of("overview")));
  report.addCatch(experimentsLeft, {
    assign: { ...nextExperiment, failures: failuresWith(caughtFirst) },
  });
  report.next(experimentsLeft);
  return plan;
}

function planState(scope: Construct, driver: LambdaFunction, deployment: Deployment): LambdaInvoke {
  const payload = {
    input: jsonata("$states.input"),
    deployment,
    execution: jsonata(execution),
  };
  const plan = controlTask(scope, "Plan", driver, payload, {
    assign: { run: jsonata("$states.result.Payload"), ...firstExperiment },
  });
  plan.addCatch(
    Fail.jsonata(scope, "Not started", {
      error: jsonata("$states.input.Error"),
      cause: jsonata(messageOf("$states.input.Error", "$states.input.Cause")),
    }),
  );
  return plan;
}

function reportState(scope: Construct, driver: LambdaFunction): LambdaInvoke {
  const payload = {
    folder: jsonata(`${experiment}.folder`),
    cells: jsonata(`${experiment}.cells`),
    look: jsonata("$look"),
    failure: jsonata("$failure"),
  };
  return controlTask(scope, "Report", driver, payload, {
    assign: { ...nextExperiment, failures: failuresWith("$failure") },
  });
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
  overview.addCatch(runFailed, { assign: { failures: failuresWith(caught, '"overview"') } });
  return overview.next(anyFailed);
}
