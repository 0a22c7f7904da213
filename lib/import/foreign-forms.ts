/**
 * Forms that have no report of a single invocation, or not as Lambda wrote it, though they are about invocations:
 * each by its start, with what to import in its place.
 */
const forms: readonly (readonly [start: RegExp, sentence: string])[] = [
  [/^PK[^\w\s]{2}/, "It is a zip archive, or a spreadsheet: unpack it, or save it as CSV."],
  [/^\s*<(?:!doctype|html|table|tr|div|span|pre)\b/i, "It is HTML: save the text that it shows."],
  [
    /^[^\n,]*@\w+"?;/,
    "It is a CSV with semicolons, as a spreadsheet saves it, which may have changed its decimals: import the file that Logs Insights exported.",
  ],
  [
    /^[^\n]*@timestamp[^\n]*@\w*[dD]uration|^[^\n]*@\w*[dD]uration[^\n]*@timestamp/,
    "It has columns of Logs Insights, copied without their commas: export them as CSV or JSON.",
  ],
  [/^RESULTS\t/, "It is aws logs get-query-results as text: ask for --output json."],
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
  [/^[^\n]*\breport requestid: /, "Its letters were changed to lower case: import it as it was."],
];

const longestShown = 60;

/** Describes a text without any report: what it seems to be, else its first line. */
export function describeForeign(text: string): string {
  if (text.trim() === "") return "It is empty.";
  const [, sentence] = forms.find(([start]) => start.test(text)) ?? [];
  if (sentence !== undefined) return sentence;
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const shown = (lines[first] ?? "").trim().slice(0, longestShown);
  return `Its line ${first + 1} is ${JSON.stringify(shown)}, in no form that is known.`;
}
