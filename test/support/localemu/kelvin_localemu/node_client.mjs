// Lambda's runtime client for Node functions in CommonJS, as small as this test needs it.
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-custom.html
import { Agent, request } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

const { AWS_LAMBDA_RUNTIME_API, LAMBDA_TASK_ROOT, _HANDLER } = process.env;
const runtime = `http://${AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function call(method, path, value) {
  const body = value === undefined ? "" : JSON.stringify(value);
  const headers = { "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(`${runtime}${path}`, { method, agent, headers }, async (response) => {
      const chunks = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ headers: response.headers, text: Buffer.concat(chunks).toString("utf8") });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

function described(error) {
  const isError = error instanceof Error;
  const trace = isError ? (error.stack?.split("\n") ?? []) : [];
  return {
    errorType: isError ? error.name : "Error",
    errorMessage: isError ? error.message : String(error),
    trace,
  };
}

async function handle(handler) {
  const { headers, text } = await call("GET", "/invocation/next");
  const requestId = headers["lambda-runtime-aws-request-id"];
  const deadlineMs = Number(headers["lambda-runtime-deadline-ms"]);
  const context = {
    awsRequestId: requestId,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    invokedFunctionArn: headers["lambda-runtime-invoked-function-arn"],
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
  };
  try {
    const result = await handler(JSON.parse(text), context);
    await call("POST", `/invocation/${requestId}/response`, result ?? null);
  } catch (error) {
    console.error(`${requestId}\tERROR\tInvoke Error\t${JSON.stringify(described(error))}`);
    await call("POST", `/invocation/${requestId}/error`, described(error));
  }
}

function load() {
  const dot = _HANDLER.lastIndexOf(".");
  const file = join(LAMBDA_TASK_ROOT, _HANDLER.slice(0, dot));
  return createRequire(join(LAMBDA_TASK_ROOT, "index.js"))(file)[_HANDLER.slice(dot + 1)];
}

let handler;
try {
  handler = load();
} catch (error) {
  await call("POST", "/init/error", described(error));
  process.exit(1);
}
for (;;) await handle(handler);
