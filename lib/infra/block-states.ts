import { Duration } from "aws-cdk-lib";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import {
  Choice,
  Condition,
  DistributedMap,
  Pass,
  ProvideItems,
  StateMachineType,
  TaskInput,
  Timeout,
} from "aws-cdk-lib/aws-stepfunctions";
import { LambdaInvoke } from "aws-cdk-lib/aws-stepfunctions-tasks";
import type { Construct } from "constructs";
import type { Driver } from "./driver.ts";
import { controlTask } from "./driver-task.ts";
import { caught, execution, experiment, jsonata } from "./run-expressions.ts";

/** Until which block nothing is asked, and whether anything then is: StoppingLook of lib/contract. */
const blocksBeforeLook = `($exists($look.nextLook) ? $look.nextLook : ${experiment}.blockCount)`;
const isToLook = `${experiment}.isUntilPrecise = true and $not($exists($look.endedBy))`;

/** The block's visits in their order; the brackets keep a block of one cell an array. */
const visitsOfBlock =
  `($plan := ${experiment}; [$map($plan.order[$block], function($index) { $merge([` +
  `{"folder": $plan.folder, "block": $block, "execution": ${execution}}, $plan.cells[$index]]) })])`;

/**
 * How often the child was redriven: its visit is then made again, beside what was measured of it before.
 * https://docs.aws.amazon.com/step-functions/latest/dg/input-output-contextobject.html
 */
const redriveCount = "$states.context.Execution.RedriveCount";
const redrives = `($exists(${redriveCount}) ? ${redriveCount} : 0)`;
const visitAndRedrives = `$merge([$states.input, {"redrives": ${redrives}}])`;

/** What a driver throws that hands its visit over, with how far it came: lambdas/driver/visit-handed-over.ts. */
const handedOver = "VisitHandedOver";
const progress = "$parse($parse($states.errorOutput.Cause).errorMessage)";

/**
 * Lambda refuses a call before it runs anything: the only error by which nothing can have been measured.
 * After any other the driver may have begun, and a retry would hide it.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 * https://docs.aws.amazon.com/step-functions/latest/dg/bp-lambda-serviceexception.html
 */
const notStarted = "Lambda.TooManyRequestsException";

/**
 * Block after block a distributed Map over the block's cells, with a stopping rule Precision after some
 * of them; after the last, and where one of these fails, the state that comes then.
 * https://docs.aws.amazon.com/step-functions/latest/dg/state-map-distributed.html
 */
export function blockStates(scope: Construct, driver: Driver, then: LambdaInvoke): DistributedMap {
  const measureBlock = measureBlockState(scope, driver);
  const precision = precisionState(scope, driver.of("precision"));
  for (const state of [measureBlock, precision]) {
    state.addCatch(then, { assign: { failure: jsonata(caught) } });
  }
  const blocksLeft = new Choice(scope, "Blocks left?")
    .when(Condition.jsonata(jsonata(`$block < ${blocksBeforeLook}`)), measureBlock)
    .when(Condition.jsonata(jsonata(isToLook)), precision)
    .otherwise(then);
  precision.next(blocksLeft);
  measureBlock.next(blocksLeft);
  return measureBlock;
}

/** Reads what was measured, and says until which block the experiment goes on, or why it ends. */
function precisionState(scope: Construct, driver: LambdaFunction): LambdaInvoke {
  const payload = { folder: jsonata(`${experiment}.folder`), blocks: jsonata("$block") };
  return controlTask(scope, "Precision", driver, payload, {
    assign: { look: jsonata("$states.result.Payload") },
  });
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
      "ended. Retried only where the driver was not started: a retry would hide a failure",
    lambdaFunction: driver.of("measure"),
    payload: TaskInput.fromText(jsonata(visitAndRedrives)),
    retryOnServiceExceptions: false,
    taskTimeout: Timeout.duration(Duration.minutes(16)),
    outputs: {},
  });
  measure.addRetry({
    errors: [notStarted],
    interval: Duration.seconds(2),
    maxAttempts: 6,
    backoffRate: 2,
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
