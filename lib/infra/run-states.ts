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
import { LambdaInvoke, type LambdaInvokeJsonataProps } from "aws-cdk-lib/aws-stepfunctions-tasks";
import type { Construct } from "constructs";
import type {
  FirstBlockRequest,
  PlannedExperiment,
  PrecisionRequest,
  TryRequest,
} from "../run/messages.ts";
import type { Driver } from "./driver.ts";

/** An expression of the state machine's query language: https://docs.jsonata.org/ */
export function jsonata(expression: string): string {
  return `{% ${expression} %}`;
}

/** ARN of the execution; a child of the distributed Map has its own. */
export const execution = "$states.context.Execution.Id";

/** The experiment that is being measured, a PlannedExperiment. */
const experiment = "$run.experiments[$at]";

/** A field of the experiment that is being measured. */
export function ofExperiment(field: keyof PlannedExperiment): string {
  return `${experiment}.${field}`;
}

/** A request whose fields are given as they are or by an expression. */
type Written<Request> = { readonly [Field in keyof Request]: Request[Field] | string };

/** The payload of a state, with the fields of the request that its driver takes. */
export function requestOf<Request extends object>(request: Written<Request>): Written<Request> {
  return request;
}
const experimentStart = { block: 0, counts: false, failure: {}, look: {} };
/** The variables of a run, in addition to `run`, the plan. */
export const firstExperiment = { at: 0, ...experimentStart, failures: [] };
export const nextExperiment = { at: jsonata("$at + 1"), ...experimentStart };

/** The error and cause that a state keeps of an error it catches; caughtFirst keeps the first of two. */
export const caught = `{"error": $states.errorOutput.Error, "cause": $states.errorOutput.Cause}`;
export const caughtFirst = `($exists($failure.error) ? $failure : ${caught})`;

/** Characters of what is told of a failed experiment: those of all stand together in the state. */
const longestCause = 2000;

/** The experiments that failed so far, with the current one where it did. */
export function failuresWith(failure: string, name = ofExperiment("experiment")): string {
  const cause = `$substring(${messageExpression("$first.error", "$first.cause")}, 0, ${longestCause})`;
  const entry = `{"experiment": ${name}, "error": $first.error, "cause": ${cause}}`;
  return jsonata(
    `($first := ${failure}; $exists($first.error) ? $append($failures, [${entry}]) : $failures)`,
  );
}

/**
 * The errorMessage that Lambda wraps in JSON; or the cause as it stands; or the error's name. Step
 * Functions cuts a cause off at 32,768 characters, after which it is no JSON: of the message as much is
 * taken as is there, up to its last whole character.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_TaskFailedEventDetails.html
 */
export function messageExpression(error: string, cause: string): string {
  const text = `$substring(${cause}, 0, ${longestMessage})`;
  const found = `$match(${text}, ${wrappedMessage}).groups[0]`;
  const message = `($text := ${found}; $exists($text) ? $parse("\\"" & $text & "\\"") : ${cause})`;
  return `($exists(${cause}) ? ${message} : ${error})`;
}

/** Characters of a cause that are looked at: more than are told. */
const longestMessage = 4000;
/**
 * JSON's text of the message; of an escape that was cut off nothing. A backslash is \x5c: JSONata takes
 * whatever bracket follows one for escaped when it looks for the expression's end.
 */
const wrappedMessage =
  '/"errorMessage":\\s*"([^"\\x5c]*(?:\\x5c(?:["\\x5c\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\x5c]*)*)/';

/** Until which block nothing is asked, and whether anything then is: StoppingLook of lib/contract. */
const blocksBeforeLook = `($exists($look.nextLook) ? $look.nextLook : ${ofExperiment("blockCount")})`;
const isToLook = `${ofExperiment("isUntilPrecise")} = true and $not($exists($look.endedBy))`;

/** The block's trials in their order; the brackets keep a block of one cell an array. */
const blockTrials =
  `($plan := ${experiment}; [$map($plan.order[$block], function($index) { $merge([` +
  `{"folder": $plan.folder, "block": $block, "execution": ${execution}}, $plan.cells[$index]]) })])`;

/**
 * `redriveCount` is how often the child was redriven: its trial is then made again, in addition to earlier samples.
 * https://docs.aws.amazon.com/step-functions/latest/dg/input-output-contextobject.html
 */
const redriveCount = "$states.context.Execution.RedriveCount";
const redrives = `($exists(${redriveCount}) ? ${redriveCount} : 0)`;
const trialAndRedrives = `$merge([$states.input, {"redrives": ${redrives}}])`;

/**
 * `handedOver` is the error of a driver that hands its trial over with its progress: lambdas/driver/trial-handed-over.ts.
 */
const handedOver = "TrialHandedOver";
const progress = "$parse($parse($states.errorOutput.Cause).errorMessage)";

/**
 * Lambda refuses a call before it runs anything: the only error by which nothing can have been measured.
 * After any other the driver may have begun, and a retry would hide it.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 * https://docs.aws.amazon.com/step-functions/latest/dg/bp-lambda-serviceexception.html
 */
const notStarted = "Lambda.TooManyRequestsException";

/**
 * Try functions; then block after block a distributed Map over the block's cells, First block after the first of
 * them, and with a stopping rule Precision after some; after the last, and where one of these fails, the state that
 * comes then.
 * https://docs.aws.amazon.com/step-functions/latest/dg/state-map-distributed.html
 */
export function blockStates(scope: Construct, driver: Driver, then: LambdaInvoke): LambdaInvoke {
  const tryFunctions = tryState(scope, driver.of("try-functions"));
  const measureBlock = measureBlockState(scope, driver);
  const firstBlock = firstBlockState(scope, driver.of("first-block"));
  const precision = precisionState(scope, driver.of("precision"));
  for (const state of [tryFunctions, measureBlock, firstBlock, precision]) {
    state.addCatch(then, { assign: { failure: jsonata(caught) } });
  }
  const blocksLeft = new Choice(scope, "Blocks left?")
    .when(Condition.jsonata(jsonata("$not($counts)")), firstBlock)
    .when(Condition.jsonata(jsonata(`$block < ${blocksBeforeLook}`)), measureBlock)
    .when(Condition.jsonata(jsonata(isToLook)), precision)
    .otherwise(then);
  for (const state of [measureBlock, firstBlock, precision]) state.next(blocksLeft);
  tryFunctions.next(measureBlock);
  return tryFunctions;
}

/** One call of each function with each event, which is no sample. */
function tryState(scope: Construct, driver: LambdaFunction): LambdaInvoke {
  const payload = requestOf<TryRequest>({
    folder: jsonata(ofExperiment("folder")),
    cells: jsonata(ofExperiment("cells")),
  });
  return controlTask(scope, "Try functions", driver, payload);
}

/** Fails where nothing of the first block counts. */
function firstBlockState(scope: Construct, driver: LambdaFunction): LambdaInvoke {
  const payload = requestOf<FirstBlockRequest>({ folder: jsonata(ofExperiment("folder")) });
  return controlTask(scope, "First block", driver, payload, { assign: { counts: true } });
}

/** Reads what was measured, and says until which block the experiment goes on, or why it ends. */
function precisionState(scope: Construct, driver: LambdaFunction): LambdaInvoke {
  const payload = requestOf<PrecisionRequest>({
    folder: jsonata(ofExperiment("folder")),
    blocks: jsonata("$block"),
  });
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
      "One trial: force cold, cold, second, warm; another driver goes on where one's time has " +
      "ended. Retried only where the driver was not started: a retry would hide a failure",
    lambdaFunction: driver.of("measure"),
    payload: TaskInput.fromText(jsonata(trialAndRedrives)),
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
  // Goes through a state that does nothing: LocalEmu ends an execution whose state is its own successor.
  const goOn = Pass.jsonata(scope, "Go on", { comment: "Another driver, in the same environment" });
  measure.addCatch(goOn.next(measure), {
    errors: [handedOver],
    outputs: jsonata(`$merge([$states.input, {"progress": ${progress}}])`),
  });
  measure.addCatch(recordFailure, { outputs: jsonata(`$merge([$states.input, ${caught}])`) });
  return DistributedMap.jsonata(scope, "Measure block", {
    comment: "Every cell once, in the block's seeded order",
    items: ProvideItems.jsonata(jsonata(blockTrials)),
    jsonataMaxConcurrency: jsonata("$run.lanes"),
    mapExecutionType: StateMachineType.STANDARD,
    assign: { block: jsonata("$block + 1") },
    outputs: {},
  }).itemProcessor(measure);
}

/** Errors in calling a driver, not of its work: on a control path they may be tried again. */
const callErrors = [
  "Lambda.ClientExecutionTimeoutException",
  "Lambda.ServiceException",
  "Lambda.AWSLambdaException",
  "Lambda.SdkClientException",
  "Lambda.TooManyRequestsException",
];

/** A driver's call that may be tried again: its work can be done twice, and does not measure. */
export function controlTask(
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
