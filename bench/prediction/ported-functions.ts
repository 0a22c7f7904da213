import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { FunctionsFile } from "../../lib/contract/types/contract.ts";
import { writeFunctionsFile } from "../../lib/functions/functions-file.ts";
import type { CargoBuild } from "../../lib/plan/experiment.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { pythonWheels, wheelTarget } from "../../lib/toolchain/python.ts";
import { buildRustBinary } from "../../lib/toolchain/rust-build.ts";

/** A published benchmark's functions, measured like a user's own. */
export type PortedWorkload = "put-item" | "validated-put" | "hello";

const sources = join(projectPaths.root, "bench", "prediction", "ported");

type Functions = FunctionsFile["functions"];

/** Builds a workload's artefacts in a folder, and returns the path of the functions file next to them. */
export async function buildPorted(workload: PortedWorkload, folder: string): Promise<string> {
  const path = join(folder, "functions.json");
  mkdirSync(folder, { recursive: true });
  await writeFunctionsFile(path, await files[workload](folder));
  return path;
}

const files: Readonly<
  Record<PortedWorkload, (folder: string) => FunctionsFile | Promise<FunctionsFile>>
> = {
  "put-item": async (folder) => ({
    ...withTable("id"),
    functions: [
      await rustFunction("put-item", folder),
      pythonFunction("put_item.py", folder),
      nodeFunction("put-item.mjs", folder),
    ].map(onTable),
    events: [{ name: "put", payload: { body: JSON.stringify(book) } }],
    memoryMb: [256],
  }),
  "validated-put": async (folder) => ({
    ...withTable("orderId"),
    functions: [await rustFunction("validated-put", folder), validatedPython(folder)].map(onTable),
    events: [{ name: "store", payload: { Records: messages() } }],
    memoryMb: [256],
  }),
  hello: (folder) => ({
    schemaVersion: 1,
    functions: [onTable(nodeFunction("hello.mjs", folder))],
    events: [{ name: "hello", payload: {} }],
    memoryMb: [128, 256, 512, 1024],
  }),
};

/** The source's item has a title and an author. */
const book = { name: "On the measurement of small things", author: "A. Writer" };

/** Returns one batch of five messages, as in the source. */
function messages() {
  return Array.from({ length: 5 }, (_, index) => ({
    body: JSON.stringify({
      orderId: `order-${index}`,
      ...{ channel: index, state: "paid" },
      buyer: { id: `buyer-${index}`, sessionId: "a-session", deviceId: "a-device" },
    }),
  }));
}

function withTable(key: string): Pick<FunctionsFile, "schemaVersion" | "services"> {
  return {
    schemaVersion: 1,
    services: {
      tables: [
        {
          TableName: tableName,
          KeySchema: [{ AttributeName: key, KeyType: "HASH" }],
          AttributeDefinitions: [{ AttributeName: key, AttributeType: "S" }],
          BillingMode: "PAY_PER_REQUEST",
        },
      ],
    },
  };
}

const tableName = "ported";

/** Adds the table's name to the function's environment; `hello` does not read it. */
function onTable(each: Omit<Functions[number], "environment">): Functions[number] {
  return { ...each, environment: { TABLE_NAME: tableName } };
}

/** Builds into the target folder of the measured functions, so that the SDK is not compiled twice. */
async function rustFunction(binaryName: string, folder: string) {
  const build: CargoBuild = {
    ...{ binaryName, packageName: "ported", profile: "release" },
    manifestPath: join(sources, "rust", "Cargo.toml"),
    environment: { CARGO_TARGET_DIR: join(projectPaths.rust, "target") },
  };
  const artefact = folderOf("rust", folder);
  cpSync(await buildRustBinary(build), join(artefact, "bootstrap"));
  return { name: "rust", artefact, runtime: "provided.al2023" };
}

function pythonFunction(source: string, folder: string) {
  const artefact = folderOf("python", folder);
  cpSync(join(sources, "python", source), join(artefact, "lambda_function.py"));
  return {
    ...{ name: "python", artefact, runtime: "python3.13" },
    handler: "lambda_function.handler",
  };
}

function validatedPython(folder: string) {
  const requirements = "../../bench/prediction/ported/python/requirements.txt";
  const packages = pythonWheels(requirements, wheelTarget());
  const built = pythonFunction("validated_put.py", folder);
  cpSync(packages, built.artefact, { recursive: true });
  const schema = "message.schema.json";
  cpSync(join(sources, schema), join(built.artefact, schema));
  return built;
}

function nodeFunction(source: string, folder: string) {
  const artefact = folderOf("node", folder);
  cpSync(join(sources, "node", source), join(artefact, "index.mjs"));
  return { name: "node", artefact, runtime: "nodejs24.x", handler: "index.handler" };
}

function folderOf(name: string, folder: string): string {
  const artefact = join(folder, name);
  mkdirSync(artefact, { recursive: true });
  return artefact;
}
