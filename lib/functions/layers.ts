import { createHash } from "node:crypto";
import { accessSync, constants, cpSync, mkdirSync, rmSync } from "node:fs";
import { InvalidInput, inPlace } from "../contract/errors.ts";
import { openArtefact } from "./artefact.ts";
import { largestUnpackedBytes } from "./unzip.ts";

/** A function's layers, one over the other: what Lambda shows at /opt. */
export interface OpenedLayers {
  readonly folder: string;
  /** Of the layers' own hashes, in their order. */
  readonly sha256: string;
  /** Unpacked, each for itself. */
  readonly sizeBytes: number;
}

/**
 * Unpacks layers into a folder, each over the ones before it, as Lambda does. Throws InvalidInput if one cannot
 * be read, and if they are larger than Lambda takes together with the function.
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
    cpSync(layer.folder, folder, { recursive: true, verbatimSymlinks: true, force: true });
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
    throw error instanceof InvalidInput ? inPlace("layer", error) : error;
  }
}

/**
 * Throws InvalidInput if a function's wrapper script is not there or cannot be started.
 * @param file where it would be on this machine
 */
export function requireWrapper(name: string, wrapper: string, file: string): void {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    const allowed = "an executable file below /opt (of a layer: --layer) or /var/task";
    throw new InvalidInput(`${name}: AWS_LAMBDA_EXEC_WRAPPER`, wrapper, allowed);
  }
}
