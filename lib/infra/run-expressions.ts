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

/** The errorMessage that Lambda wraps in JSON; or the cause as it stands; or the error's name. */
export function messageOf(error: string, cause: string): string {
  const isWrapped = `$contains(${cause}, "\\"errorMessage\\"")`;
  const message = `${isWrapped} ? $parse(${cause}).errorMessage : ${cause}`;
  return `($exists(${cause}) ? (${message}) : ${error})`;
}
