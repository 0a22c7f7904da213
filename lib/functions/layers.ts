import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { InvalidInput, inPlace } from "../contract/errors.ts";
import type { Architecture } from "../plan/experiment.ts";
import { openArtefact, readExecutable } from "./artefact.ts";
import { largestUnpackedBytes } from "./unzip.ts";

/** A function's layers, merged as Lambda does at /opt. */
export interface OpenedLayers {
  readonly folder: string;
  /** Hash of the layers' own hashes, in order. */
  readonly sha256: string;
  /** Sum of the layers' unpacked sizes. */
  readonly sizeBytes: number;
}

/**
 * Unpacks layers into a folder, each over the previous ones, as Lambda does. Throws InvalidInput if one cannot be
 * read, or if they exceed Lambda's limit together with the function.
 * https://docs.aws.amazon.com/lambda/latest/dg/chapter-layers.html
 */
export async function openLayers(
  paths: readonly string[],
  folder: string,
  functionBytes: number,
): Promise<OpenedLayers> {
  mkdirSync(folder);
  const hash = createHash("sha256");
  let sizeBytes = 0;
  for (const path of paths) {
    const layer = await openLayer(path, `${folder}-layer`);
    hash.update(layer.sha256);
    sizeBytes += layer.sizeBytes;
    cpSync(layer.folder, folder, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      force: true,
    });
    rmSync(layer.folder, { recursive: true });
  }
  if (sizeBytes + functionBytes > largestUnpackedBytes) {
    const limit = `${largestUnpackedBytes / 1024 / 1024} MB`;
    const allowed = `at most ${limit} unpacked with the function, which is Lambda's limit`;
    throw new InvalidInput("layer", paths, allowed);
  }
  return { folder, sha256: hash.digest("hex"), sizeBytes };
}

async function openLayer(path: string, folder: string) {
  try {
    return await openArtefact(path, folder);
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    const { field, allowed } = inPlace("layer", error);
    throw new InvalidInput(field, path, allowed, `layer: ${error.message}`);
  }
}

/**
 * Throws InvalidInput if a function's wrapper script is missing or not executable.
 * @param file its path on this machine
 */
export function requireWrapper(name: string, wrapper: string, file: string): void {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    const allowed = "an executable file below /opt (of a layer: --layer) or /var/task";
    throw new InvalidInput(`${name}: AWS_LAMBDA_EXEC_WRAPPER`, wrapper, allowed);
  }
}

/** https://docs.aws.amazon.com/lambda/latest/dg/lambda-extensions.html */
const mostExtensions = 10;

/** Throws InvalidInput for external extensions that Lambda or this machine could not start. */
export function requireExtensions(name: string, layers: string, meant: Architecture): void {
  const folder = join(layers, "extensions");
  if (!existsSync(folder)) return;
  const files = readdirSync(folder).filter((file) => statSync(join(folder, file)).isFile());
  const refuse = (found: unknown, allowed: string) =>
    new InvalidInput(`${name}: extensions`, found, allowed);
  if (files.length > mostExtensions) throw refuse(files, `at most ${mostExtensions}`);
  for (const file of files) {
    const path = join(folder, file);
    if ((statSync(path).mode & 0o111) === 0) throw refuse(file, "files that are executable");
    const executable = readExecutable(path);
    const isForOther = executable.kind === "elf" && executable.architecture !== meant;
    if (executable.kind === "other" || isForOther) {
      throw refuse(file, `programs for ${meant}, which this machine can run, and scripts`);
    }
  }
}
