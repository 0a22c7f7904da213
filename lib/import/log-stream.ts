/**
 * Whose logs a log stream holds: those of one execution environment, from its Init to its end ("A single
 * execution environment writes to the same log stream during its lifetime", and a new environment
 * generates a new one).
 * https://docs.aws.amazon.com/lambda/latest/operatorguide/log-structure.html
 */
interface LogStream {
  /** Its name in CloudWatch Logs. */
  readonly name: string;
  /** The function's name, which only the stream names of a custom log group contain. */
  readonly functionName?: string;
}

/**
 * `2026/01/05/[$LATEST]0f1e2d3c`, and of a custom log group `2026/01/05/hello[$LATEST][0f1e2d3c]`; the
 * operator guide writes it without the slash behind the day.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-loggroups.html
 */
export const streamNameForm = '\\d{4}\\/\\d\\d\\/\\d\\d\\/?[^\\s[\\]]*\\[[^\\]\\s]+\\][^\\s,"]+';

const named = /^\d{4}\/\d\d\/\d\d\/([^\s[\]]+)\[[^\]\s]+\]\[[^\]\s]+\]$/;

/**
 * All environments of a capacity provider share this one.
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-managed-instances-cwl-configure.html
 */
const shared = /\/managed-instances$/;

/** Undefined if no stream is named, and for a stream that several environments write to. */
export function parseStream(name: string | undefined): LogStream | undefined {
  if (name === undefined || name === "" || shared.test(name)) return undefined;
  const [, functionName] = named.exec(name) ?? [];
  return { name, ...(functionName !== undefined && { functionName }) };
}
