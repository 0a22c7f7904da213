import { readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { InvalidInput, inPlace } from "../contract/errors.ts";
import { requireJson } from "../contract/lines.ts";
import type { FunctionsFile, NamedEvent } from "../contract/types/contract.ts";
import { contractProblem, validated } from "../contract/validate.ts";
import { replaceFile } from "../files/replace-file.ts";
import { unreadableText } from "./artefact.ts";
import { isImageReference } from "./container-image.ts";
import { declaredFactors } from "./one-factor.ts";

/** Reads a functions file; paths become relative to the working directory. Throws InvalidInput naming a wrong field. */
export function readFunctionsFile(path: string): FunctionsFile {
  const value = readJson(path);
  const problem = contractProblem("functions", value);
  if (problem !== undefined) throw inPlace(path, problem);
  const file = checkedFunctions(validated("functions", value));
  return withPaths(file, (artefact) =>
    isAbsolute(artefact) ? artefact : join(dirname(path), artefact),
  );
}

function readJson(path: string): unknown {
  try {
    return requireJson(path, readFileSync(path, "utf8"));
  } catch (error) {
    if (!(error instanceof InvalidInput)) {
      throw new InvalidInput("functions", path, "a functions file", unreadableText(path, error));
    }
    const { field, found, allowed } = error;
    throw new InvalidInput(field, found, allowed, `${path} is not JSON`);
  }
}

/** Checks what the schema cannot express. Throws InvalidInput. */
export function checkedFunctions(file: FunctionsFile): FunctionsFile {
  requireDifferent(
    "functions",
    file.functions.map(({ name }) => name),
  );
  requireDifferent(
    "events",
    file.events.map(({ name }) => name),
  );
  declaredFactors(file);
  for (const event of file.events) requireEventSize(event);
  return file;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const largestEventBytes = 6 * 1024 * 1024;

function requireEventSize({ name, payload }: NamedEvent): void {
  const bytes = Buffer.byteLength(JSON.stringify(payload));
  if (bytes <= largestEventBytes) return;
  throw new InvalidInput(
    `event ${name}`,
    bytes,
    `at most ${largestEventBytes} bytes: Lambda takes 6 MB`,
  );
}

function requireDifferent(field: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new InvalidInput(field, names, `different names; ${twice} occurs more than once`);
}

/** Writes a file, with paths relative to it. */
export async function writeFunctionsFile(path: string, file: FunctionsFile): Promise<void> {
  const folder = dirname(resolve(path));
  const written = withPaths(file, (artefact) => relative(folder, resolve(artefact)) || ".");
  await replaceFile(folder, basename(path), `${JSON.stringify(written, null, 2)}\n`);
}

function withPaths(file: FunctionsFile, place: (artefact: string) => string): FunctionsFile {
  const placed = (artefact: string) => (isImageReference(artefact) ? artefact : place(artefact));
  const functions = file.functions.map((each) => ({
    ...each,
    artefact: placed(each.artefact),
    ...(each.artefactByArchitecture && {
      artefactByArchitecture: Object.fromEntries(
        Object.entries(each.artefactByArchitecture).map(([architecture, artefact]) => [
          architecture,
          placed(artefact),
        ]),
      ),
    }),
    ...(each.layerArtefacts && { layerArtefacts: each.layerArtefacts.map(place) }),
  }));
  const { folders } = file.services ?? {};
  if (folders === undefined) return { ...file, functions };
  const placedFolders = Object.entries(folders).map(([bucket, folder]) => [bucket, place(folder)]);
  const services = { ...file.services, folders: Object.fromEntries(placedFolders) };
  return { ...file, functions, services };
}
