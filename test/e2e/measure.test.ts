import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { kelvinProgram } from "../../bin/program.ts";
import { validated } from "../../lib/contract/validate.ts";
import { findNodeFor } from "../../lib/toolchain/interpreters.ts";
import { preparePythonVenv } from "../../lib/toolchain/python.ts";
import { makeZip } from "../support/make-zip.ts";
import { shellCommands } from "../support/shell-commands.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = join(import.meta.dirname, "..", "..");
const folder = temporaryFolder();
const inFolder = (name: string) => join(folder, name);

const python = `import json
def lambda_handler(event, context):
    return {"statusCode": 200, "body": json.dumps({"id": event.get("id")})}
`;
const node = `import { createHash } from "node:crypto";
export const handler = async (event) => {
  let text = String(event.id);
  for (let i = 0; i < 200; i += 1) text = createHash("sha256").update(text).digest("hex");
  return { statusCode: 200, body: JSON.stringify({ id: event.id }) };
};
`;
/**
 * Waits for a time that its size decides, whatever else this machine does: 128 MB is the cheapest, 256 MB far from
 * every choice, and the others take the same, give or take 5%.
 */
const sized = `import os, random, time
size = int(os.environ["AWS_LAMBDA_FUNCTION_MEMORY_SIZE"])
seconds = {128: 0.1, 256: 0.25}.get(size, 0.06) * random.uniform(0.95, 1.05)
def lambda_handler(event, context):
    time.sleep(seconds)
    return {"size": size}
`;
/** What a program of any language does in its bootstrap. */
const bootstrap = `#!/usr/bin/env python3
import os, urllib.request
base = "http://" + os.environ["AWS_LAMBDA_RUNTIME_API"] + "/2018-06-01/runtime/invocation/"
while True:
    with urllib.request.urlopen(base + "next") as event:
        id = event.headers["Lambda-Runtime-Aws-Request-Id"]
    urllib.request.urlopen(base + id + "/response", data=b'{"ok": true}')
`;
const table = {
  TableName: "orders",
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
};

beforeAll(async () => {
  await preparePythonVenv();
  const zip = makeZip([{ name: "lambda_function.py", content: python }]);
  for (const name of ["function.zip", "base.zip", "head.zip"]) writeFileSync(inFolder(name), zip);
  for (const name of ["event.json", "body.json", "get.json", "put.json"])
    writeFileSync(inFolder(name), '{"id":1}');
  writeFileSync(inFolder("table.json"), JSON.stringify(table));
  const items = { orders: [{ PutRequest: { Item: { id: { S: "1" } } } }] };
  writeFileSync(inFolder("orders.json"), JSON.stringify(items));
  mkdirSync(inFolder("fixtures"));
  symlinkSync(join(root, "examples"), inFolder("examples"));
  writeFileSync(join(folder, "fixtures", "a.txt"), "a");
  writeFileSync(inFolder("node.zip"), makeZip([{ name: "index.mjs", content: node }]));
  mkdirSync(inFolder("program"));
  writeFileSync(join(folder, "program", "bootstrap"), bootstrap, { mode: 0o755 });
});

/** Runs a line of a shell in the folder, with `kelvin` for this repository's. */
function shell(line: string) {
  const loader = join(root, "node_modules", "tsx", "dist", "loader.mjs");
  const kelvin = `kelvin() { ${process.execPath} --import ${loader} ${join(root, "bin", "kelvin.ts")} "$@"; }`;
  const options = { cwd: folder, encoding: "utf8", timeout: 300_000 } as const;
  return spawnSync("bash", ["-c", `${kelvin}; ${line}`], options);
}

let runs = 0;
/** A run of few environments, called back to back; its exit code, what it printed, and its folder. */
function measured(line: string) {
  runs += 1;
  const out = inFolder(`run-${runs}`);
  const { status, stdout, stderr } = shell(`${line} --cold 6 --warm 30 --idle 0 --out ${out}`);
  return { status, stdout, stderr, out };
}

/**
 * The sizes of the table on a first screen, and the heads of its first columns: how wide the others are, and whether they
 * all fit, depends on what was measured.
 */
function tableShape(text: string) {
  const lines = text.split("\n");
  const head = lines.find((line) => /^size {2,}/.test(line))?.split(/ {2,}/);
  const [size, cold] = head ?? [];
  const sizes = lines.flatMap((line) => /^[\d,]+ MB(?= {2,})/.exec(line) ?? []);
  return { size, cold, sizes, answered: /^How sure: n = /m.test(text) };
}

const read = (out: string, name: string) => JSON.parse(readFileSync(join(out, name), "utf8"));

it("ends at once, and names the table, where DynamoDB refuses it", () => {
  const out = inFolder("refused");
  const words = `--table '{"TableName":"x"}' --memory 128 --out ${out}`;
  const { status, stderr } = shell(`kelvin measure function.zip ${words}`);
  expect(status, stderr).toBe(2);
  expect(stderr).toMatch(
    /^kelvin: table: found .*"TableName":"x".* the service accepts \(.*tableName/m,
  );
  expect(existsSync(join(out, "plan.json"))).toBe(false);
});

describe("kelvin measure", () => {
  const guide = readFileSync(join(root, "docs", "measuring-your-own-function.md"), "utf8");
  const commands = shellCommands(guide);
  const isMeasure = (command: string) => /^kelvin measure (?!arn:|ARN)/.test(command);

  it("knows every command and option that the guide names for AWS", () => {
    const others = commands.filter((command) => !isMeasure(command));
    for (const [, name = "", words = ""] of others.flatMap((command) => [
      ...command.matchAll(/^kelvin (\S+)(.*)$/g),
    ])) {
      const known = kelvinProgram().commands.find((each) => each.name() === name);
      expect(known, name).toBeDefined();
      for (const [option] of words.matchAll(/--[a-z-]+/g)) {
        expect(
          known?.options.map(({ long }) => long),
          name,
        ).toContain(option);
      }
    }
    expect(others).toHaveLength(7);
  });

  // At one size: the table of those that are measured by default follows below.
  it.each(commands.filter(isMeasure))("does what the guide says: %s", (command) => {
    expect(command).not.toContain("--memory");
    const { status, stderr, out } = measured(`${command} --memory 1769`);
    expect(status, stderr).toBe(0);
    const manifest = validated("manifest", read(out, "manifest.json"));
    expect(manifest.status).toBe("complete");
    expect(manifest.counts.rejected).toEqual({ "warm-up": expect.any(Number) });
  });

  it("measures a Node.js zip and a program side by side, without a Rust compiler", () => {
    const { status, stderr, stdout, out } = measured(
      `PATH=/usr/bin:/bin; kelvin measure node.zip program --event '{"id":7}' --memory 512,1769`,
    );
    expect(status, stderr).toBe(0);
    expect(stderr).toContain("index.handler (found in the artefact)");
    expect(stdout).toMatch(/^Functions: node, program$/m);
    const plan = validated("plan", read(out, "plan.json"));
    expect(plan.cells.map(({ id }) => id)).toHaveLength(5);
    expect(validated("manifest", read(out, "manifest.json")).artefacts).toMatchObject([
      { variant: "node", zipBytes: expect.any(Number) },
      { variant: "program", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  it("brings the SDK's clients that a Node.js function imports, and shows its layers", () => {
    const text = `import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import shown from "shown";
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
export const handler = async () => ({ shown, sqs: typeof SQSClient, table: typeof client.send });
`;
    const layer = [{ name: "nodejs/node_modules/shown/index.js", content: "module.exports = 7;" }];
    writeFileSync(inFolder("sdk.zip"), makeZip([{ name: "index.mjs", content: text }]));
    writeFileSync(inFolder("layer.zip"), makeZip(layer));
    const expected = `--expect '{"shown":7,"sqs":"function","table":"function"}'`;
    const words = `--layer layer.zip --any-version --memory 1769 ${expected} --save with-layer.json`;
    const { status, stderr, out } = measured(`kelvin measure sdk.zip ${words}`);
    expect(status, stderr).toBe(0);
    const [artefact] = validated("manifest", read(out, "manifest.json")).artefacts;
    expect(artefact?.build?.layers).toMatch(/^[0-9a-f]{64}$/);
    const saved = JSON.parse(readFileSync(inFolder("with-layer.json"), "utf8"));
    expect(saved.functions[0].layerArtefacts).toEqual(["layer.zip"]);
    const other = [{ name: "nodejs/node_modules/shown/index.js", content: "module.exports = 8;" }];
    writeFileSync(inFolder("layer.zip"), makeZip(other));
    expect(shell(`kelvin measure --resume ${out}`)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("sdk: layers: found"),
    });
  });

  it("reports how soon a streamed answer begins", () => {
    const text = `export const handler = awslambda.streamifyResponse(async (event, stream) => {
  stream.write("first ");
  await new Promise((resolve) => setTimeout(resolve, 40));
  stream.end("last");
});
`;
    writeFileSync(inFolder("stream.zip"), makeZip([{ name: "index.mjs", content: text }]));
    const words = `--any-version --memory 1769 --expect '"first last"'`;
    const { status, stderr, stdout, out } = measured(`kelvin measure stream.zip ${words}`);
    expect(status, stderr).toBe(0);
    expect(stdout).toContain("How sure: n = ");
    expect(readFileSync(join(out, "report-full.md"), "utf8")).toContain("Time to first byte");
    const { series } = read(out, "summary.json");
    for (const { firstByteMs, durationMs } of series) {
      expect(durationMs.median).toBeGreaterThan(firstByteMs.median + 30);
    }
  });

  it("prints the table that the guide shows, and writes a functions file that measures the same again", () => {
    const first = measured("kelvin measure function.zip --event get=get.json --save saved.json");
    expect(first.status, first.stderr).toBe(0);
    expect(tableShape(guide)).toEqual(tableShape(first.stdout));
    const file = validated("functions", JSON.parse(readFileSync(inFolder("saved.json"), "utf8")));
    expect(file.functions).toEqual([{ name: "function", artefact: "function.zip" }]);
    const again = measured("kelvin measure --functions saved.json --memory 512");
    expect(again.status, again.stderr).toBe(0);
    expect(read(again.out, "plan.json").coldOperation).toBe("get");
  });

  describe("of a runtime that is named", () => {
    const major = process.versions.node.startsWith("22.") ? 24 : 22;
    const text = "export const handler = async () => ({ version: process.versions.node });";
    const writeZip = (content: string) =>
      writeFileSync(inFolder("version.zip"), makeZip([{ name: "index.mjs", content }]));
    let run: ReturnType<typeof measured>;
    beforeAll(async () => {
      await findNodeFor(`nodejs${major}.x`, { say: () => {} });
      writeZip(text);
      run = measured(`kelvin measure version.zip --runtime nodejs${major}.x --memory 1769`);
    });

    it("runs the Node.js that is asked for, whichever runs Kelvin", () => {
      expect(run.status, run.stderr).toBe(0);
      const { versions } = read(run.out, "manifest.json");
      expect(versions["node of version"]).toMatch(new RegExp(`^${major}\\.`));
    });

    it("renders its report again, and resumes it with the artefacts that it measured alone", () => {
      writeZip(text);
      expect(shell(`kelvin report ${run.out}`).stdout).toMatch(/^Functions: version$/m);
      expect(shell(`kelvin measure --resume ${run.out}`).status).toBe(0);
      writeZip(`${text} `);
      const { status, stderr } = shell(`kelvin measure --resume ${run.out}`);
      expect({ status, stderr }).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("artefact: found"),
      });
    });
  });

  it("ends with 1 where the second one is slower, and names what is", () => {
    const slow = python.replace("    return", "    sum(range(2000000))\n    return");
    const zip = makeZip([{ name: "lambda_function.py", content: slow }]);
    writeFileSync(inFolder("head.zip"), zip);
    const { status, stderr } = measured(
      "kelvin measure base.zip head.zip --memory 1769 --fail-on slower --margin 10%",
    );
    expect(stderr).toMatch(
      /FAIL: .*head is slower than the base on a warm call: [\d.]+× \[.*\] at 1,769 MB/,
    );
    expect(status).toBe(1);
  });

  it("chooses memory sizes by fewer calls than all sizes would take, and says which and why", () => {
    const zip = makeZip([{ name: "lambda_function.py", content: sized }]);
    writeFileSync(inFolder("sized.zip"), zip);
    const out = inFolder("auto");
    // To 1% the fastest is not decided at the first look, at which others are out already.
    const words = `--memory auto --until-precision 1% --warm 30 --idle 0 --max-samples 600 --out ${out}`;
    const { status, stdout, stderr } = shell(`kelvin measure sized.zip ${words}`);
    expect(status, stderr).toBe(0);
    const plan = validated("plan", read(out, "plan.json"));
    expect(plan.cells.map(({ memoryMb }) => memoryMb)).toEqual([128, 256, 512, 1024, 1769, 3008]);
    const manifest = validated("manifest", read(out, "manifest.json"));
    expect(manifest.status).toBe("complete");
    const { sizeChoices } = read(out, "summary.json");
    expect(sizeChoices.calls).toBe(manifest.counts.recorded);
    expect(sizeChoices.calls).toBeLessThan(sizeChoices.callsOfAll);
    expect(stdout).toMatch(/^128 MB .*cheapest/m);
    const full = readFileSync(join(out, "report-full.md"), "utf8");
    expect(full).toContain("is cheapest at 128 MB (");
    expect(full).toContain("dropped after");
    expect(stderr).toMatch(/^256 MB dropped after \d+ environments: /m);
    expect(shell(`kelvin report ${out}`).stdout).toMatch(/^128 MB .*cheapest/m);
    expect(shell(`kelvin measure --resume ${out}`).status).toBe(0);
  });

  it("measures nothing of a function that fails, and leaves no folder", () => {
    const { status, stderr, out } = measured("kelvin measure function.zip --expect-status 500");
    expect(status).toBe(2);
    expect(stderr).toContain("statusCode: found 200; expected 500");
    expect(() => readFileSync(join(out, "plan.json"))).toThrow();
  });
});
