import { expect, it } from "vitest";
import { type OwnFunctionOptions, ownFunction } from "../support/own-function.ts";

/** What one call answers. */
async function answerOf(files: Readonly<Record<string, string>>, options: OwnFunctionOptions) {
  const { target, cell } = await ownFunction(files, options);
  return (await target.invoke(cell, {})).payload;
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
  expect(await answerOf({ "app.py": text }, { ...python, layer })).toEqual(["before", 2]);
});

it("a Node.js function requires what its layer has, that of its version first", async () => {
  const text = `exports.handler = async () => [require("one"), require("two")];`;
  const layer = {
    "nodejs/node_modules/one/index.js": "module.exports = 1;",
    "nodejs/node_modules/two/index.js": "module.exports = 2;",
    "nodejs/node22/node_modules/one/index.js": "module.exports = 'before';",
  };
  expect(await answerOf({ "index.js": text }, { ...node, layer })).toEqual(["before", 2]);
});

it("programs of a layer are found by their names", async () => {
  const text =
    "import subprocess\ndef handler(e, c): return subprocess.check_output(['told'], text=True)\n";
  const layer = { "bin/told": "#!/bin/sh\nprintf 'by the layer'\n" };
  expect(await answerOf({ "app.py": text }, { ...python, layer })).toBe("by the layer");
});

it("a layer has the bootstrap of a function that has none, and its own comes first", async () => {
  const bootstrap = (told: string) => `#!/bin/bash
while :; do
  id=$(curl -sSD - -o /dev/null "http://$AWS_LAMBDA_RUNTIME_API/2018-06-01/runtime/invocation/next" |
    tr -d '\\r' | sed -n 's/^lambda-runtime-aws-request-id: //Ip')
  curl -sS -o /dev/null -d "\\"${told} $_HANDLER\\"" \\
    "http://$AWS_LAMBDA_RUNTIME_API/2018-06-01/runtime/invocation/$id/response"
done
`;
  const options = { runtime: "provided.al2023", handler: "app.main", modes: {} };
  const layer = { bootstrap: bootstrap("layer") };
  expect(await answerOf({ "app.sh": "" }, { ...options, layer })).toBe("layer app.main");
  const own = { bootstrap: bootstrap("own") };
  expect(await answerOf(own, { ...options, layer })).toBe("own app.main");
});

it("a wrapper script starts the runtime, with the runtime's own words", async () => {
  const text = "exports.handler = async () => process.env.SET_BY_WRAPPER;";
  const layer = { "bin/wrap": '#!/bin/sh\nexport SET_BY_WRAPPER="$#"\nexec "$@"\n' };
  const environment = { AWS_LAMBDA_EXEC_WRAPPER: "/opt/bin/wrap" };
  expect(await answerOf({ "index.js": text }, { ...node, layer, environment })).toBe("2");
});

it("a wrapper script may insert options of the interpreter before the last of the runtime's own words", async () => {
  const text = "import sys\ndef handler(event, context): return sys._xoptions.get('seen')";
  const before = "$" + "{@:1:$#-1}";
  const last = "$" + "{@: -1}";
  const wrap = `#!/bin/bash\nexec "${before}" -X seen "${last}"\n`;
  const environment = { AWS_LAMBDA_EXEC_WRAPPER: "/opt/bin/wrap" };
  const options = { ...python, layer: { "bin/wrap": wrap }, environment };
  expect(await answerOf({ "app.py": text }, options)).toBe(true);
});

it.each([
  ["python", "app.py", python],
  ["node", "index.js", node],
])("a script finds %s as the interpreter that its runtime has", async (name, file, runtime) => {
  const told =
    name === "python" ? "import sys; print(sys.prefix)" : "console.log(process.execPath)";
  const layer = {
    "bin/told": `#!/bin/sh\nexec ${name} -${name === "python" ? "c" : "e"} '${told}'\n`,
  };
  const text =
    name === "python"
      ? "import subprocess, sys\ndef handler(e, c): return [subprocess.check_output(['told'], text=True).strip(), sys.prefix]"
      : "const { execFileSync } = require('node:child_process');\nexports.handler = async () => [execFileSync('told', { encoding: 'utf8' }).trim(), process.execPath];";
  const answer = await answerOf({ [file]: text }, { ...runtime, layer });
  const [found, own] = answer as readonly string[];
  expect(found).toBe(own);
});

it("every call has a trace of its own, with root, parent and whether it is sampled", async () => {
  const text = "exports.handler = async () => process.env._X_AMZN_TRACE_ID;";
  const { target, cell } = await ownFunction({ "index.js": text }, node);
  const first = (await target.invoke(cell, {})).payload;
  expect(first).toMatch(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0$/);
  expect((await target.invoke(cell, {})).payload).not.toBe(first);
});
