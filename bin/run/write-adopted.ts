import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { LambdaClient } from "@aws-sdk/client-lambda";
import {
  adoptedFunctions,
  adoptedName,
  readDeployedFunction,
} from "../../lib/aws/adopt-function.ts";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import { requireJson } from "../../lib/contract/lines.ts";
import type { FunctionsFile } from "../../lib/contract/types/contract.ts";
import { replaceFile } from "../../lib/files/replace-file.ts";
import { writeFunctionsFile } from "../../lib/functions/functions-file.ts";
import { describeLifecycle } from "../../lib/functions/runtime-lifecycle.ts";

/** Writes the functions file and, unless the function is an image, its zip; nothing if it throws InvalidInput. */
export async function writeAdopted(
  arn: string,
  { out, event, copySecrets }: AdoptOptions,
  client: LambdaClient,
): Promise<{ readonly written: readonly string[]; readonly notes: readonly string[] }> {
  requireNone("out", out);
  const payload = event === undefined ? {} : readEvent(event);
  const { configuration, code, notCopied } = await readDeployedFunction(client, arn);
  const folder = dirname(resolve(out));
  const zipName = `${adoptedName(configuration)}.zip`;
  const artefact = code.kind === "image" ? code.uri : join(folder, zipName);
  if (code.kind === "zip") requireNone("the zip", artefact);
  const options = { artefact, payload, copySecrets: copySecrets === true };
  const file = adoptedFunctions(configuration, options);
  if (code.kind === "zip") await replaceFile(folder, zipName, code.zip);
  await writeFunctionsFile(out, file);
  const placeholder =
    event === undefined ? ["the event is {}: put the function's own under events"] : [];
  return {
    written: code.kind === "zip" ? [out, artefact] : [out],
    notes: [...describeAdopted(file, notCopied), ...placeholder],
  };
}

/** Returns the notes that a user needs before measuring a copy. */
function describeAdopted(
  { functions }: FunctionsFile,
  notCopied: readonly string[],
): readonly string[] {
  const ofFunctions = functions.flatMap(
    ({ runtime, secretNames = [], layers = [], permissions }) => [
      ...(runtime === undefined ? [] : [describeLifecycle(runtime)]),
      ...secretNames.map(
        (name) =>
          `${name} looks like a secret and was not copied: set it under environment, or adopt with --copy-secrets`,
      ),
      ...(layers.length > 0 ? [`layers stay on AWS: ${layers.join(", ")}`] : []),
      ...(permissions?.roleArn === undefined
        ? []
        : [`a copy on AWS takes the role ${permissions.roleArn}`]),
    ],
  );
  return [...ofFunctions, ...notCopied.map((what) => `not copied: ${what}`)];
}

function requireNone(field: string, path: string): void {
  if (!existsSync(path)) return;
  const message = `${path} exists already; --out FILE names another place`;
  throw new InvalidInput(field, path, "a path where nothing is yet", message);
}

function readEvent(path: string): unknown {
  try {
    return requireJson(path, readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    throw new InvalidInput("event", path, `a JSON file (${describeError(error).message})`);
  }
}

export interface AdoptOptions {
  readonly out: string;
  /** A JSON file. @default the event {} */
  readonly event?: string;
  readonly copySecrets?: true;
}
