import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { InvalidInput } from "../contract/errors.ts";
import type { FunctionsFile, MeasuredFunction } from "../contract/types/contract.ts";
import type { Architecture, Experiment } from "../plan/experiment.ts";
import { type Artefact, openArtefact, readExecutable } from "./artefact.ts";
import { isImageReference, parseImage } from "./container-image.ts";
import { requireLambdaVariables } from "./environment-variables.ts";
import {
  describeFunction,
  functionsExperiment,
  type OpenedFunction,
} from "./functions-experiment.ts";
import { readFunctionsFile } from "./functions-file.ts";
import { artefactOn } from "./one-factor.ts";
import { chooseRuntime, isCustomRuntime, requireBootstrap } from "./runtime-choice.ts";

/** The part of a functions file that is deployed. */
interface FunctionsForAws {
  readonly experiment: Experiment;
  readonly architectures: readonly Architecture[];
  /** Notes for the user: what was found, and which parts of the file do not apply on AWS. */
  readonly notes: readonly string[];
}

/** Runtimes for an artefact that shows only the language: those of Kelvin's own experiments, and the current Node.js. */
const defaultRuntimes = { python: "python3.13", node: "nodejs24.x" } as const;

/**
 * Reads a functions file and inspects its artefacts, so that a copy of each function can be deployed. Throws
 * InvalidInput for anything that Lambda or the driver would refuse later.
 */
export async function openFunctionsForAws(path: string): Promise<FunctionsForAws> {
  const file = readFunctionsFile(path);
  requireTimeout(file);
  const folder = mkdtempSync(join(tmpdir(), "kelvin-"));
  try {
    const opened: OpenedFunction[] = [];
    for (const measured of file.functions) opened.push(await openOnEach(measured, folder));
    const architectures = chooseArchitectures(file, opened);
    for (const one of opened) requireArchitectures(one, architectures);
    return {
      experiment: functionsExperiment(file, opened.map(asUploaded)),
      architectures,
      notes: [...opened.map(describeFunction), ...listIgnored(file)],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Opens a function with its artefact for each architecture; all must have one runtime and handler. Throws
 * InvalidInput.
 */
async function openOnEach(measured: MeasuredFunction, folder: string): Promise<OpenedFunction> {
  requireVariables(measured);
  requirePermissions(measured);
  const opened = await openFunction(measured, folder);
  const { name, artefactByArchitecture } = measured;
  if (artefactByArchitecture === undefined) return opened;
  const byArchitecture: Partial<Record<Architecture, Artefact>> = {};
  for (const architecture of architecturesOf(measured)) {
    const artefact = artefactOn(measured, architecture);
    if (artefact === measured.artefact) continue;
    const other = await openFunction({ ...measured, artefact }, join(folder, `on_${architecture}`));
    if (!isDeepStrictEqual(other.choice, opened.choice)) {
      const found = [opened, other].map(({ choice }) => `${choice.runtime} ${choice.handler}`);
      const allowed = `one runtime and one handler on both, named under runtime and handler`;
      throw new InvalidInput(`${name}: artefactByArchitecture`, found, allowed);
    }
    byArchitecture[architecture] = other.artefact;
  }
  return { ...opened, byArchitecture };
}

const bothArchitectures: readonly Architecture[] = ["arm64", "x86_64"];

/** Returns the architectures that a function has an artefact for. */
function architecturesOf({ artefactByArchitecture = {} }: MeasuredFunction) {
  return bothArchitectures.filter((each) => artefactByArchitecture[each] !== undefined);
}

async function openFunction(measured: MeasuredFunction, folder: string): Promise<OpenedFunction> {
  const { name } = measured;
  if (isImageReference(measured.artefact)) return openImage(measured);
  requireNoImageSettings(measured);
  const artefact = await openArtefact(measured.artefact, join(folder, name));
  if (artefact.zip !== undefined && !/\.(zip|jar)$/.test(artefact.zip)) {
    const allowed = "a name that ends with .zip or .jar";
    throw new InvalidInput(`${name}: artefact`, measured.artefact, allowed);
  }
  return { measured, artefact, choice: chooseRuntime(measured, artefact, defaultRuntimes) };
}

/** Opens an image, which has its own entry point. Throws InvalidInput for settings that Lambda accepts only for zips. */
function openImage(measured: MeasuredFunction): OpenedFunction {
  const { name, artefact: reference, layers } = measured;
  for (const field of ["runtime", "handler", "layers"] as const) {
    if (measured[field] === undefined || (field === "layers" && layers?.length === 0)) continue;
    const allowed = "none of a container image, which has its own";
    throw new InvalidInput(`${name}: ${field}`, measured[field], allowed);
  }
  const sha256 = parseImage(name, reference).digest.replace("sha256:", "");
  // The image's files stay in ECR, and are not inspected.
  const artefact = { path: reference, folder: "", files: [], sha256, sizeBytes: 0 };
  return { measured, artefact, choice: { runtime: "image", handler: "" } };
}

function requireNoImageSettings({ name, aws }: MeasuredFunction): void {
  if (aws?.image === undefined) return;
  throw new InvalidInput(`${name}: aws.image`, aws.image, "nothing but with a container image");
}

/** Replaces the inspected copy by the original: the user's zip or folder is what is uploaded. */
function asUploaded({ artefact, byArchitecture, ...opened }: OpenedFunction): OpenedFunction {
  if (byArchitecture === undefined) return { ...opened, artefact: uploaded(artefact) };
  const { arm64, x86_64 } = byArchitecture;
  return {
    ...opened,
    artefact: uploaded(artefact),
    byArchitecture: {
      ...(arm64 !== undefined && { arm64: uploaded(arm64) }),
      ...(x86_64 !== undefined && { x86_64: uploaded(x86_64) }),
    },
  };
}

function uploaded(artefact: Artefact): Artefact {
  if (isImageReference(artefact.path)) return artefact;
  return { ...artefact, folder: resolve(artefact.path) };
}

/** Longest timeout: a driver runs for at most 15 minutes, and starts no call that could outlast it. */
const longestTimeoutSeconds = 600;

function requireTimeout({ timeoutSeconds }: FunctionsFile): void {
  if (timeoutSeconds === undefined || timeoutSeconds <= longestTimeoutSeconds) return;
  const allowed = `at most ${longestTimeoutSeconds} on AWS, where a driver measures for 15 minutes at a time; --timeout ${longestTimeoutSeconds}, or timeoutSeconds in the functions file, measures calls that end by then`;
  throw new InvalidInput("timeoutSeconds", timeoutSeconds, allowed);
}

/** Throws InvalidInput if a value is missing, or if Lambda would refuse a variable. */
function requireVariables(measured: MeasuredFunction): void {
  const { name, environment = {}, secretNames = [] } = measured;
  const absent = secretNames.filter((secret) => environment[secret] === undefined);
  if (absent.length > 0) {
    const allowed = "their values under environment, or their names taken out of secretNames";
    throw new InvalidInput(`${name}: secretNames`, absent, allowed);
  }
  requireLambdaVariables(measured);
}

function requirePermissions({ name, permissions = {} }: MeasuredFunction): void {
  const { roleArn, ...others } = permissions;
  const given = Object.keys(others);
  if (roleArn === undefined || given.length === 0) return;
  const allowed =
    "roleArn alone, or the others without it: an existing role is used as it is, and nothing is added to it";
  throw new InvalidInput(`${name}: permissions`, ["roleArn", ...given], allowed);
}

/** Files with machine code: a function's executable, or libraries that its modules load. */
const machineCode = /^bootstrap$|\.(so|node)(\.\d+)*$/;

interface MachineCode {
  readonly file: string;
  readonly architecture: Architecture;
}

function listMachineCode({ files, folder }: Artefact): readonly MachineCode[] {
  return files.flatMap((file) => {
    if (!machineCode.test(file)) return [];
    const executable = readExecutable(join(folder, file));
    if (executable.kind !== "elf" || executable.architecture === "other") return [];
    return [{ file, architecture: executable.architecture }];
  });
}

/**
 * Returns the file's architectures. Default: both if a function has an artefact for one of them; else the one of the
 * artefacts' machine code; else arm64.
 */
function chooseArchitectures(
  { architectures }: FunctionsFile,
  functions: readonly OpenedFunction[],
): readonly Architecture[] {
  const image = functions.find(
    ({ artefact, byArchitecture }) =>
      isImageReference(artefact.path) && byArchitecture === undefined,
  );
  if (image !== undefined && architectures?.length !== 1) {
    const allowed = `the one that the image of ${image.measured.name} is built for`;
    throw new InvalidInput("architectures", architectures, allowed);
  }
  if (architectures !== undefined) return architectures;
  if (functions.some(({ byArchitecture }) => byArchitecture !== undefined)) {
    return bothArchitectures;
  }
  const built = functions.flatMap(({ artefact }) => listMachineCode(artefact));
  const found = [...new Set(built.map(({ architecture }) => architecture))];
  if (found.length < 2) return [found[0] ?? "arm64"];
  throw new InvalidInput(
    "architectures",
    undefined,
    "one of those that the artefacts are built for",
  );
}

/** Throws InvalidInput unless a function can run on each of the file's architectures. */
function requireArchitectures(
  { measured: { name, layers = [] }, artefact: usual, byArchitecture, choice }: OpenedFunction,
  architectures: readonly Architecture[],
): void {
  for (const architecture of architectures) {
    const artefact = byArchitecture?.[architecture] ?? usual;
    const code = listMachineCode(artefact);
    const [other] = code;
    const reason = "on which the file deploys it (architectures)";
    // The content of layer versions is not known here; one of them may have the bootstrap.
    const isHere = artefact.files.includes("bootstrap") || layers.length === 0;
    if (isCustomRuntime(choice.runtime) && isHere) {
      requireBootstrap(name, artefact, architecture, { reason });
    }
    if (other === undefined || code.some((each) => each.architecture === architecture)) continue;
    const found = `machine code for ${other.architecture}`;
    throw new InvalidInput(`${name}: ${other.file}`, found, `some for ${architecture}, ${reason}`);
  }
}

function listIgnored({ services }: FunctionsFile): readonly string[] {
  return services === undefined
    ? []
    : ["services are emulated on one machine alone: on AWS the functions call AWS"];
}
