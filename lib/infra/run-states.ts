import { Duration } from "aws-cdk-lib";
import type { CfnFunction, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import {
  Choice,
  Condition,
  DistributedMap,
  Map as InlineMap,
  Pass,
  ProvideItems,
  TaskInput,
  Timeout,
} from "aws-cdk-lib/aws-stepfunctions";
import { LambdaInvoke, type LambdaInvokeJsonataProps } from "aws-cdk-lib/aws-stepfunctions-tasks";
import type { Construct } from "constructs";
import { defined } from "../contract/defined.ts";
import type {
  FirstBlockRequest,
  PlannedExperiment,
  PrecisionRequest,
  TryRequest,
} from "../run/messages.ts";
import type { Driver } from "./driver.ts";

/**
 * Wraps an expression of the state machine's query language.
 * https://docs.jsonata.org/
 */
export function jsonata(expression: string): string {
  return `{% ${expression} %}`;
}

/** ARN of the execution. A child execution of a distributed Map has its own. */
export const execution = "$states.context.Execution.Id";

/** The current experiment, a PlannedExperiment. */
const experiment = "$run.experiments[$at]";

/** Returns the expression for a field of the current experiment. */
export function ofExperiment(field: keyof PlannedExperiment): string {
  return `${experiment}.${field}`;
}

/** A request whose fields may also be JSONata expressions. */
type Written<Request> = { readonly [Field in keyof Request]: Request[Field] | string };

/** Returns the payload of a state. The type ensures that it has the fields of its driver's request. */
export function requestOf<Request extends object>(request: Written<Request>): Written<Request> {
  return request;
}
const experimentStart = { block: 0, counts: false, failure: {}, look: {}, trialsUsd: {} };
/** Initial variables of a run, besides `run`, which is the plan. */
export const firstExperiment = {
  at: 0,
  ...experimentStart,
  failures: [],
  spentUsd: jsonata("$states.result.Payload.costs.onceUsd"),
};
export const nextExperiment = { at: jsonata("$at + 1"), ...experimentStart };

/** Error and cause of a caught error. caughtFirst keeps an earlier one if there is one. */
export const caught = `{"error": $states.errorOutput.Error, "cause": $states.errorOutput.Cause}`;
export const caughtFirst = `($exists($failure.error) ? $failure : ${caught})`;

/** Maximum length of a failed experiment's cause: the state holds those of all experiments. */
const longestCause = 2000;

/** Appends the current experiment to the failed ones if it failed. */
export function failuresWith(failure: string, name = ofExperiment("experiment")): string {
  const cause = `$substring(${messageExpression("$first.error", "$first.cause")}, 0, ${longestCause})`;
  const entry = `{"experiment": ${name}, "error": $first.error, "cause": ${cause}}`;
  return jsonata(
    `($first := ${failure}; $exists($first.error) ? $append($failures, [${entry}]) : $failures)`,
  );
}

/**
 * Returns the errorMessage in Lambda's JSON, else the cause unchanged, else the error's name. Step Functions cuts a
 * cause off at 32,768 characters, which leaves invalid JSON; the message is then read up to its last complete
 * character.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_TaskFailedEventDetails.html
 */
export function messageExpression(error: string, cause: string): string {
  const text = `$substring(${cause}, 0, ${longestMessage})`;
  const found = `$match(${text}, ${wrappedMessage}).groups[0]`;
  const message = `($text := ${found}; $exists($text) ? $parse("\\"" & $text & "\\"") : ${cause})`;
  return `($exists(${cause}) ? ${message} : ${error})`;
}

/** Characters of a cause that are searched: more than longestCause. */
const longestMessage = 4000;
/**
 * The message as a JSON string; a truncated escape is dropped. A backslash is written \x5c: JSONata treats any
 * bracket after one as escaped when it looks for the end of the expression.
 */
const wrappedMessage =
  '/"errorMessage":\\s*"([^"\\x5c]*(?:\\x5c(?:["\\x5c\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\x5c]*)*)/';

/** Number of blocks before the next look (StoppingLook in lib/contract), and whether that look takes place. */
const blocksBeforeLook = `($exists($look.nextLook) ? $look.nextLook : ${ofExperiment("blockCount")})`;
const isToLook = `${ofExperiment("isUntilPrecise")} = true and $not($exists($look.endedBy))`;

const isCapped = "$exists($run.costs.maxCostUsd)";
/**
 * What is left of the cap for the next block, as a multiple of what it costs if each cell's trial is as dear as that
 * cell's dearest so far: $trialsUsd, at first its calls before the first block. A trial's last call may exceed its
 * part: what is kept for those of trials that begin after others in their lane leaves the run above its cap by at most
 * one call a lane. Nothing, like all that is computed from it, without a cap.
 */
const room =
  `(($run.costs.maxCostUsd - $spentUsd - $run.costs.longestCallUsd * $max([0, $count(${ofExperiment("cells")}) ` +
  "- $run.lanes])) / $sum($trialsUsd.*))";
/** Whether the cap allows no further block. The first one is made with what is left. */
const isSpent = `(${isCapped} and $block > 0 and ${room} < 1)`;
/** The part of the cap for the calls before the first block, which cost less than a block. */
const tryUsd = `($run.costs.maxCostUsd - $spentUsd) / (${ofExperiment("blockCount")} + 1)`;

/** The experiment's blocks if the cap has ended it before the last one, or with a stopping rule before the first look. */
export const blocksInCap =
  `(${isSpent} and $block < ${ofExperiment("blockCount")} ? ` +
  '{"maxCostUsd": $run.costs.maxCostUsd, "blocks": $block} : {})';

/** A trial's Allowance. */
const trialAllowance =
  '{"limitUsd": $room * $lookup($trialsUsd, $plan.cells[$index].cellId), "fixedUsd": $run.costs.trialUsd}';

/**
 * The block's trials in order. The brackets keep a block of one cell an array.
 * @param redrivesBefore redrives of a trial's execution before the block began
 */
const blockTrials = (redrivesBefore: string) =>
  `($plan := ${experiment}; $room := ${room}; [$map($plan.order[$block], function($index) { $merge([` +
  `{"folder": $plan.folder, "block": $block, "execution": ${execution}, "redrives": ${redrivesBefore}, ` +
  `"allowance": ${trialAllowance}}, ` +
  "$plan.cells[$index]]) })])";

/**
 * How often the execution was redriven: the run's or, in a distributed Map, the child. A trial that was under way is
 * then repeated, in addition to its earlier samples.
 * https://docs.aws.amazon.com/step-functions/latest/dg/input-output-contextobject.html
 */
const redriveCount = "$states.context.Execution.RedriveCount";
const redrives = `($exists(${redriveCount}) ? ${redriveCount} : 0)`;
const trialAndRedrives = `$merge([$states.input, {"redrives": ${redrives} - $states.input.redrives}])`;

/** Error of a driver that hands over its trial with the progress: lambdas/driver/trial-handed-over.ts. */
const handedOver = "TrialHandedOver";
const progress = "$parse($parse($states.errorOutput.Cause).errorMessage)";

/**
 * The only error that proves that nothing was measured: Lambda refused the call. After any other error the driver may
 * have begun, and a retry would hide that.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 * https://docs.aws.amazon.com/step-functions/latest/dg/bp-lambda-serviceexception.html
 */
const notStarted = "Lambda.TooManyRequestsException";

/**
 * The states are Try functions, then one Map per block over the block's cells, inline or distributed. First block
 * follows the first of them and, with a stopping rule, Precision follows some. After the last block, or if one of
 * these states fails, `then` follows.
 * https://docs.aws.amazon.com/step-functions/latest/dg/state-map.html
 */
export function blockStates(scope: Construct, driver: Driver, then: LambdaInvoke): LambdaInvoke {
  const tryFunctions = tryState(scope, driver.functionFor("try-functions"));
  const inline = measureBlockState(scope, driver, "inline");
  const distributed = measureBlockState(scope, driver, "distributed");
  const firstBlock = firstBlockState(scope, driver.functionFor("first-block"));
  const precision = precisionState(scope, driver.functionFor("precision"));
  const isLeft = `$block < ${blocksBeforeLook} and $not(${isSpent})`;
  const isInline = `${isLeft} and $block < ${ofExperiment("inlineBlocks")}`;
  // A redrive of the Map does not repeat this assignment.
  const assign = { redrivesBefore: jsonata(redrives) };
  const comment = "Without a stopping rule, every block of the plan is measured";
  const blocksLeft = new Choice(scope, "Blocks left?", { comment })
    .when(Condition.jsonata(jsonata("$block > 0 and $not($counts)")), firstBlock)
    .when(Condition.jsonata(jsonata(isInline)), inline, { assign })
    .when(Condition.jsonata(jsonata(isLeft)), distributed)
    .when(
      Condition.jsonata(jsonata(`$block >= ${ofExperiment("blockCount")} and ${isToLook}`)),
      precision,
    )
    .otherwise(then);
  // A state that fails does not say what its calls have cost: it may be all that they were allowed.
  const spent = [
    [tryFunctions, `$sum([$spentUsd, ${tryUsd}])`],
    [inline, "$max([$spentUsd, $run.costs.maxCostUsd])"],
    [distributed, "$max([$spentUsd, $run.costs.maxCostUsd])"],
    [firstBlock, "$spentUsd"],
    [precision, "$spentUsd"],
  ] as const;
  for (const [state, spentUsd] of spent) {
    state.addCatch(then, { assign: { failure: jsonata(caught), spentUsd: jsonata(spentUsd) } });
    state.next(blocksLeft);
  }
  return tryFunctions;
}

/** Calls each function once with each event. These calls are not samples. */
function tryState(scope: Construct, driver: LambdaFunction): LambdaInvoke {
  const payload = requestOf<TryRequest>({
    folder: jsonata(ofExperiment("folder")),
    execution: jsonata(execution),
    cells: jsonata(ofExperiment("cells")),
    allowance: jsonata(`{"limitUsd": ${tryUsd}, "fixedUsd": $run.costs.trialUsd}`),
  });
  return controlTask(scope, "Try functions", driver, payload, {
    assign: {
      spentUsd: jsonata("$spentUsd + $states.result.Payload.costUsd"),
      trialsUsd: jsonata("$states.result.Payload.cellsUsd"),
    },
  });
}

/** Fails if no sample of the first block counts. */
function firstBlockState(scope: Construct, driver: LambdaFunction): LambdaInvoke {
  const payload = requestOf<FirstBlockRequest>({ folder: jsonata(ofExperiment("folder")) });
  return controlTask(scope, "First block", driver, payload, { assign: { counts: true } });
}

/** Reads the samples so far, and decides up to which block the experiment goes on, or why it ends. */
function precisionState(scope: Construct, driver: LambdaFunction): LambdaInvoke {
  const payload = requestOf<PrecisionRequest>({
    folder: jsonata(ofExperiment("folder")),
    blocks: jsonata("$block"),
    isSpent: jsonata(isSpent),
  });
  return controlTask(scope, "Precision", driver, payload, {
    assign: { look: jsonata("$states.result.Payload") },
  });
}

/** Variables that a block's Map changes. */
const afterBlock = {
  block: jsonata("$block + 1"),
  spentUsd: jsonata("$spentUsd + $sum($states.result.costUsd)"),
  trialsUsd: jsonata(
    "$merge($append($trialsUsd, $states.result.{cellId: $max([costUsd, $lookup($trialsUsd, cellId)])}))",
  ),
};

/** Creates a Map over a block's trials. All states of a state machine have distinct names, those in a Map included. */
function measureBlockState(scope: Construct, driver: Driver, kind: "inline" | "distributed") {
  const named = (name: string) => (kind === "inline" ? name : `${name}, distributed`);
  const recordFailure = controlTask(
    scope,
    named("Record failure"),
    driver.functionFor("record-failure"),
    jsonata("$states.input"),
    // A trial whose driver failed is taken to have spent its part of the cap.
    { outputs: trialOutput("$max([$states.input.allowance.*])") },
  );
  const measure = measureTask(scope, named("Measure"), driver.functionFor("measure"));
  // A Pass state in between, because LocalEmu ends an execution if a state's successor is itself.
  const goOn = Pass.jsonata(scope, named("Go on"), {
    comment: "Another driver, in the same environment",
  });
  measure.addCatch(goOn.next(measure), {
    errors: [handedOver],
    outputs: jsonata(`$merge([$states.input, {"progress": ${progress}}])`),
  });
  measure.addCatch(recordFailure, { outputs: jsonata(`$merge([$states.input, ${caught}])`) });
  const [map, redrivesBefore] =
    kind === "inline" ? [InlineMap, "$redrivesBefore"] : [DistributedMap, "0"];
  const state = map.jsonata(scope, named("Measure block"), {
    comment: "Every cell once, in the block's seeded order",
    items: ProvideItems.jsonata(jsonata(blockTrials(redrivesBefore))),
    jsonataMaxConcurrency: jsonata("$run.lanes"),
    assign: afterBlock,
    outputs: {},
  });
  state.itemProcessor(measure);
  return state;
}

/** Returns the output of a block's trial, a MeasuredTrial. */
function trialOutput(costUsd: string): string {
  return jsonata(`{"cellId": $states.input.cellId, "costUsd": ${costUsd}}`);
}

function measureTask(scope: Construct, id: string, lambdaFunction: LambdaFunction): LambdaInvoke {
  const task = LambdaInvoke.jsonata(scope, id, {
    comment:
      "One trial: force cold, cold, second, warm; another driver goes on where one's time has " +
      "ended. Retried only where the driver was not started: a retry would hide a failure",
    lambdaFunction,
    payload: TaskInput.fromText(jsonata(trialAndRedrives)),
    retryOnServiceExceptions: false,
    taskTimeout: Timeout.duration(Duration.minutes(16)),
    outputs: trialOutput("$states.result.Payload.costUsd"),
  });
  return withRetries(task, [notStarted], 6);
}

/** Errors of the call, not of the driver's work. States that do not measure may retry them. */
const callErrors = [
  "Lambda.ClientExecutionTimeoutException",
  "Lambda.ServiceException",
  "Lambda.AWSLambdaException",
  "Lambda.SdkClientException",
  "Lambda.TooManyRequestsException",
];

/**
 * Creates a task with retries, for a driver that does not measure and whose work can be repeated. The console shows
 * the driver's description beside the state.
 */
export function controlTask(
  scope: Construct,
  id: string,
  lambdaFunction: LambdaFunction,
  payload: object | string,
  results: Pick<LambdaInvokeJsonataProps, "assign" | "outputs"> = {},
): LambdaInvoke {
  const { description } = lambdaFunction.node.defaultChild as CfnFunction;
  const task = LambdaInvoke.jsonata(scope, id, {
    ...defined({ comment: description }),
    lambdaFunction,
    payload:
      typeof payload === "string"
        ? TaskInput.fromText(payload)
        : TaskInput.fromObject({ ...payload }),
    retryOnServiceExceptions: false,
    outputs: {},
    ...results,
  });
  return withRetries(task, callErrors, 3);
}

function withRetries(task: LambdaInvoke, errors: string[], maxAttempts: number): LambdaInvoke {
  task.addRetry({ errors, interval: Duration.seconds(2), maxAttempts, backoffRate: 2 });
  return task;
}
