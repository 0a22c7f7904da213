/**
 * Forms that have no report of a single invocation, or not as Lambda wrote it, though they are about invocations:
 * each by what it has, with what to import in its place.
 */
const forms: readonly (readonly [form: RegExp, sentence: string])[] = [
  [/^PK[^\w\s]{2}/, "It is a zip archive, or a spreadsheet: unpack it, or save it as CSV."],
  [/^\s*<(?:!doctype|html|table|tr|div|span|pre)\b/i, "It is HTML: save the text that it shows."],
  [
    /"awslogs":\s*\{\s*"data"|"kinesis":\s*\{|"data":\s*"H4sI/,
    "It has compressed events of a subscription: unpack them with base64 --decode and gunzip.",
  ],
  [
    /"LogResult\\*":|^[A-Za-z\d+/]{40,}={0,2}\s*$/m,
    "It has the end of a log in base64 (LogResult): save what base64 --decode makes of it.",
  ],
  [
    /"type":\s*"ExecutionStarted"/,
    "It is an execution history of Step Functions: when a state began and ended is no Duration. Import the logs of its functions.",
  ],
  [
    /^(?:EVENTS|RESULTS)\t|^\s*\|.*\|\s*$/m,
    "It is a table, or text output of the AWS CLI: use --output json, or export the rows as JSON or CSV.",
  ],
  [
    /^[^\n,]*@\w+"?;/,
    "It is a CSV with semicolons, as a spreadsheet saves it, which may have changed its decimals: import the file that Logs Insights exported.",
  ],
  [
    /^[^\n]*@timestamp[^\n]*@\w*[dD]uration|^[^\n]*@\w*[dD]uration[^\n]*@timestamp/,
    "It has columns of Logs Insights, copied without their commas: export them as CSV or JSON.",
  ],
  [
    /^\s*\{\s*"(?:MetricDataResults|Label|Datapoints)"/,
    "It has CloudWatch metrics, which are of several calls each: import the log.",
  ],
  [
    /^[^\n]*"event_type":\s*"performance"/,
    "It has records of Lambda Insights, in whole milliseconds: import the function's own log group.",
  ],
  [
    /^[^\n]*"platform\.(?:invoke(?:Start|Summary|Report)|requestComplete)"/,
    "It has records of a Lambda Web Function, whose reports are of environments and not of invocations.",
  ],
  [
    /^END Duration: [\d.]+ ms/m,
    "It has the short form of serverless logs, without Billed Duration and Memory Size: use aws logs tail.",
  ],
  [/^[^\n]*\breport requestid: /, "Its letters were changed to lower case: import it as it was."],
];

const longestShown = 60;

/**
 * Describes a text without any report: what it seems to be, else its first line.
 * @param isExplained true if its lines with reports are named, with why they were not read
 */
export function describeRefused(text: string, isExplained: boolean): readonly string[] {
  if (text.trim() === "") return ["It is empty."];
  const [, sentence] = forms.find(([form]) => form.test(text)) ?? [];
  if (sentence !== undefined) return [sentence];
  if (isExplained) return [];
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const shown = (lines[first] ?? "").trim().slice(0, longestShown);
  return [`Its line ${first + 1} is ${JSON.stringify(shown)}, in no form that is known.`];
}
