import { afterEach, expect, it } from "vitest";
import type { Invocation } from "../../lib/sampler/target.ts";
import { type OwnFunction, type OwnFunctionOptions, ownFunction } from "../support/own-function.ts";

const opened: OwnFunction[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

async function call(
  files: Readonly<Record<string, string>>,
  options: OwnFunctionOptions,
): Promise<Invocation> {
  const made = await ownFunction(files, options);
  opened.push(made);
  return await made.target.invoke(made.cell, {});
}

const node = { runtime: "nodejs22.x", handler: "index.handler" };
const python = { runtime: "python3.13", handler: "app.handler" };

it("a Python function imports what its layer has, in both of the layer's folders", async () => {
  const text = "import one, two\ndef handler(e, c): return [one.name, two.name]\n";
  const layer = {
    "python/one.py": "name = 1",
    "python/lib/python3.13/site-packages/two.py": "name = 2",
    "python/lib/python3.13/site-packages/one.py": "name = 'before'",
  };
  expect(await call({ "app.py": text }, { ...python, layer })).toMatchObject({
    payload: ["before", 2],
  });
});

it("a Node.js function requires what its layer has, that of its version first", async () => {
  const text = `exports.handler = async () => [require("one"), require("two")];`;
  const layer = {
    "nodejs/node_modules/one/index.js": "module.exports = 1;",
    "nodejs/node_modules/two/index.js": "module.exports = 2;",
    "nodejs/node22/node_modules/one/index.js": "module.exports = 'before';",
  };
  expect(await call({ "index.js": text }, { ...node, layer })).toMatchObject({
    payload: ["before", 2],
  });
});

it("programs of a layer are found by their names", async () => {
  const text =
    "import subprocess\ndef handler(e, c): return subprocess.check_output(['told'], text=True)\n";
  const layer = { "bin/told": "#!/bin/sh\nprintf 'by the layer'\n" };
  expect(await call({ "app.py": text }, { ...python, layer })).toMatchObject({
    payload: "by the layer",
  });
});

it("a wrapper script starts the runtime, with the runtime's own words", async () => {
  const text = "exports.handler = async () => process.env.SET_BY_WRAPPER;";
  const layer = { "bin/wrap": '#!/bin/sh\nexport SET_BY_WRAPPER="$#"\nexec "$@"\n' };
  const environment = { AWS_LAMBDA_EXEC_WRAPPER: "/opt/bin/wrap" };
  expect(await call({ "index.js": text }, { ...node, layer, environment })).toMatchObject({
    payload: "2",
  });
});

it("every call has a trace of its own, with root, parent and whether it is sampled", async () => {
  const text = "exports.handler = async () => process.env._X_AMZN_TRACE_ID;";
  const made = await ownFunction({ "index.js": text }, node);
  opened.push(made);
  const first = (await made.target.invoke(made.cell, {})).payload;
  expect(first).toMatch(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0$/);
  expect((await made.target.invoke(made.cell, {})).payload).not.toBe(first);
});
