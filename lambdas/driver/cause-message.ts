/**
 * Extracts a function's error message from the JSON in Cause, which Step Functions cuts off at 32,768 characters.
 * Returns any other text unchanged.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_TaskFailedEventDetails.html
 */
export function causeMessage(cause: string): string {
  const text = /"errorMessage":\s*"((?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)/.exec(
    cause,
  )?.[1];
  return text === undefined ? cause : (JSON.parse(`"${text}"`) as string);
}
