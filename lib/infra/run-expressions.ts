/** An expression of the state machine's query language: https://docs.jsonata.org/ */
export function jsonata(expression: string): string {
  return `{% ${expression} %}`;
}

/** ARN of the execution; a child of the distributed Map has one of its own. */
export const execution = "$states.context.Execution.Id";

/** The experiment that is being measured: PlannedExperiment of lambdas/driver/messages.ts. */
export const experiment = "$run.experiments[$at]";
const experimentStart = { block: 0, failure: {}, look: {} };
/** The variables of a run beside `run`, the plan. */
export const firstExperiment = { at: 0, ...experimentStart, failures: [] };
export const nextExperiment = { at: jsonata("$at + 1"), ...experimentStart };

/** What is kept of an error that a state catches; of two the first. */
export const caught = `{"error": $states.errorOutput.Error, "cause": $states.errorOutput.Cause}`;
export const caughtFirst = `($exists($failure.error) ? $failure : ${caught})`;

/** Characters of what is told of a failed experiment: those of all stand together in the state. */
const longestCause = 2000;

/** The experiments that failed so far, with the current one where it did. */
export function failuresWith(failure: string, name = `${experiment}.experiment`): string {
  const cause = `$substring(${messageOf("$first.error", "$first.cause")}, 0, ${longestCause})`;
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
export function messageOf(error: string, cause: string): string {
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
