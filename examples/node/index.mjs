// Summarizes the requests in an event of CloudWatch Logs by their path.

import { gunzipSync } from "node:zlib";

/** Returns the number of requests and errors of each path, and the median of their times. */
export const handler = async (event) => {
  // https://docs.aws.amazon.com/lambda/latest/dg/services-cloudwatchlogs.html
  const logs = JSON.parse(gunzipSync(Buffer.from(event.awslogs.data, "base64")));
  const requestsByPath = new Map();
  for (const { message } of logs.logEvents) {
    const request = JSON.parse(message);
    const requests = requestsByPath.get(request.path) ?? [];
    requests.push(request);
    requestsByPath.set(request.path, requests);
  }
  const summaries = [...requestsByPath].map(([path, requests]) => [path, summarize(requests)]);
  return Object.fromEntries(summaries.sort());
};

function summarize(requests) {
  return {
    requests: requests.length,
    errors: requests.filter(({ status }) => status >= 500).length,
    medianMs: median(requests.map(({ durationMs }) => durationMs)),
  };
}

function median(values) {
  const sorted = values.sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}
