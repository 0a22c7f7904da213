// A function on Node that speaks the Runtime API and misbehaves as KELVIN_FAULT says.
import { request } from "node:http";

const fault = process.env.FAULT ?? "none";
const [host, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(":");
const bootId = `boot-${process.pid}-${process.hrtime.bigint()}`;

function call(method, path, body) {
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, method, path: `/2018-06-01/runtime${path}` }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          headers: response.headers,
          status: response.statusCode,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

if (fault === "crash-in-init") {
  console.log("no table");
  process.exit(3);
}
if (fault === "init-error") {
  await call(
    "POST",
    "/init/error",
    JSON.stringify({ errorType: "MissingTable", errorMessage: "TABLE_NAME: found nothing" }),
  );
  process.exit(1);
}
if (fault === "hang-in-init") await new Promise((resolve) => setTimeout(resolve, 60_000));

/** Works for 400 ms by the clock and says which share of a CPU it got, and how much of one. */
function cpuShare() {
  const startMs = performance.now();
  const before = process.cpuUsage();
  while (performance.now() - startMs < 400);
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1000;
  return { cpuMs, cpuShare: cpuMs / (performance.now() - startMs) };
}

for (let invocation = 0; ; invocation += 1) {
  const next = await call("GET", "/invocation/next");
  const id = next.headers["lambda-runtime-aws-request-id"];
  const { operation } = JSON.parse(next.text);
  const result = {
    operation,
    runtime: "rust",
    runtimeVersion: "1",
    variant: "rust",
    durationMs: 0.1,
    sdkCallMs: 0.1,
    itemsCount: 1,
    bootId,
    coldStart: invocation === 0,
    invocation,
  };
  const last = invocation > 0;
  if (fault === "flood") console.log("Duration: 9999.00 ms\n".repeat(5000));
  if (fault === "timeout" && last) await new Promise((resolve) => setTimeout(resolve, 60_000));
  if (fault === "crash" && last) process.exit(7);
  let answer = JSON.stringify(result);
  if (fault === "work") answer = JSON.stringify({ ...result, ...cpuShare() });
  if (fault === "garbage") answer = "this is no JSON";
  if (fault === "zeros") answer = JSON.stringify({ ok: true });
  if (fault === "environment") answer = JSON.stringify({ ...result, environment: process.env });
  if (fault === "large") answer = JSON.stringify("x".repeat(7_000_000));
  if (fault === "error" || fault === "reporting-error")
    await call(
      "POST",
      `/invocation/${id}/error`,
      JSON.stringify({
        errorType:
          fault === "error" ? "ItemNotFound" : "X\tDuration: 0.01 ms\tBilled Duration: 1 ms",
        errorMessage: 'pk "seed"',
      }),
    );
  else await call("POST", `/invocation/${id}/response`, answer);
}
