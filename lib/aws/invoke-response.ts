import type { InvokeCommandOutput } from "@aws-sdk/client-lambda";
import type { Invocation } from "../protocol/target.ts";
import { readReport } from "../telemetry/parse-report.ts";

/** What a response of Invoke says of the invocation: its result or its error, and its REPORT. */
export function invocationOf(response: InvokeCommandOutput): Omit<Invocation, "startedAt"> {
  const requestId = response.$metadata.requestId;
  const log = Buffer.from(response.LogResult ?? "", "base64").toString("utf8");
  const { telemetry, refused } = requestId === undefined ? {} : readReport(log, requestId);
  const hasNoReport = telemetry === undefined && refused === undefined;
  const payload = decoded(response.Payload);
  return {
    ...(requestId !== undefined && { requestId }),
    ...(telemetry !== undefined && { telemetry }),
    ...(refused !== undefined && { telemetryRefused: refused }),
    ...(hasNoReport && log !== "" && { logTruncated: true }),
    ...(hasNoReport && requestId !== undefined && { telemetryAwaited: true }),
    ...(response.FunctionError === undefined
      ? { payload }
      : { error: functionErrorOf(response.FunctionError, payload) }),
  };
}

/** What the function returned; its text where that is no JSON, so that the contract refuses it. */
function decoded(payload: Uint8Array | undefined): unknown {
  const text = Buffer.from(payload ?? []).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Lambda's form of a function's error: errorType and errorMessage, either of which may be absent. */
function functionErrorOf(
  functionError: string,
  payload: unknown,
): { readonly type: string; readonly message: string } {
  const isObject = typeof payload === "object" && payload !== null;
  const { errorType, errorMessage } = (isObject ? payload : {}) as Record<string, unknown>;
  return {
    type: typeof errorType === "string" ? errorType : functionError,
    message: typeof errorMessage === "string" ? errorMessage : JSON.stringify(payload),
  };
}
