import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type {
  FunctionsFile,
  MeasuredFunction,
  NetworkProfile,
} from "../../lib/contract/types/contract.ts";
import { dynamodbNetwork, s3Network } from "../../lib/experiments/local-network.ts";
import { openArtefact, requireNoLinuxCode } from "../../lib/functions/artefact.ts";
import { requireLambdaVariables } from "../../lib/functions/environment-variables.ts";
import {
  describeFunction,
  functionsExperiment,
  type OpenedFunction,
} from "../../lib/functions/functions-experiment.ts";
import {
  type OpenedLayers,
  openLayers,
  requireExtensions,
  requireWrapper,
} from "../../lib/functions/layers.ts";
import { artefactOn, factorsNotHere, isOnlyOnAws } from "../../lib/functions/one-factor.ts";
import {
  chooseRuntime,
  findLanguage,
  isCustomRuntime,
  requireBootstrap,
} from "../../lib/functions/runtime-choice.ts";
import { listLifecycleNotes } from "../../lib/functions/runtime-lifecycle.ts";
import { placeOf } from "../../lib/local/artefact-command.ts";
import { nodeModulesOfLayers } from "../../lib/local/lambda-environment.ts";
import { floorCell } from "../../lib/local/machine.ts";
import { listOwnServices } from "../../lib/local/own-services.ts";
import type { Experiment } from "../../lib/plan/experiment.ts";
import {
  findNodeFor,
  findPythonFor,
  type Interpreter,
  minorOf,
  namedPythonVersion,
  ownPythonMinor,
} from "../../lib/toolchain/interpreters.ts";
import { linkOwnSdk, linkPackages } from "../../lib/toolchain/javascript-sdk.ts";
import type { Progress } from "../progress.ts";
import { sayCpuShare } from "./measure-run.ts";

/** The interpreters for the functions, as commander passes them. */
export interface InterpreterOptions {
  readonly python?: string;
  readonly node?: string;
  readonly anyVersion?: true;
}

/** An experiment of a user's functions, with the warnings of its runs. */
export interface OpenedExperiment {
  readonly experiment: Experiment;
  readonly warnings: readonly string[];
  /** Comparisons that the file declares but that this machine cannot make, each with the reason. */
  readonly leftOut: readonly string[];
}

/** Returns the experiment that the file describes, and unpacks its functions in the folder. */
export async function openExperiment(
  file: FunctionsFile,
  folder: string,
  options: InterpreterOptions,
  progress: Progress,
): Promise<OpenedExperiment> {
  const unpacked: OpenedFunction[] = [];
  for (const measured of file.functions) {
    unpacked.push(await unpackFunction(measured, join(folder, measured.name), options));
  }
  sayCpuShare(progress);
  const opened: OpenedFunction[] = [];
  const warnings: string[] = [];
  for (const each of unpacked) {
    const one = await addInterpreter(each, options, progress);
    progress.say(describeFunction(one));
    const { warning, ...rest } = one;
    if (warning !== undefined) warnings.push(warning);
    opened.push(rest);
  }
  for (const warning of warnings) progress.say(warning);
  for (const note of listLifecycleNotes(opened.map(({ choice }) => choice.runtime))) {
    progress.say(note);
  }
  const { factors = [], ...experiment } = functionsExperiment(file, opened);
  const localNetwork = findNetwork(file);
  return {
    experiment: {
      ...experiment,
      factors: factors.filter((factor) => !isOnlyOnAws(factor)),
      ...(localNetwork !== undefined && { localNetwork }),
    },
    warnings,
    leftOut: factorsNotHere(file, floorCell.architecture),
  };
}

/** Returns the network of Kelvin's own experiments with the same service; with both services, that of DynamoDB. */
function findNetwork({ services }: FunctionsFile): NetworkProfile | undefined {
  const [first] = listOwnServices(services);
  if (first === undefined) return undefined;
  return first === "dynamodb" ? dynamodbNetwork : s3Network;
}

interface FoundFunction extends OpenedFunction {
  /** Warning that the function runs on a version that it does not ask for. */
  readonly warning?: string;
}

/**
 * Unpacks a function into a separate folder, with its runtime's packages beside its files as on Lambda: `task`,
 * `opt` and `node_modules`. Throws InvalidInput if it cannot run here.
 */
async function unpackFunction(
  measured: MeasuredFunction,
  folder: string,
  options: InterpreterOptions,
): Promise<OpenedFunction> {
  const { name } = measured;
  requireLayers(measured);
  requireLambdaVariables(measured);
  mkdirSync(folder);
  const artefact = await openArtefact(
    artefactOn(measured, floorCell.architecture),
    join(folder, "task"),
  );
  const layers = await openLayersOf(measured, join(folder, "opt"), artefact.sizeBytes);
  const layerFiles = layers && readdirSync(layers.folder, { recursive: true, encoding: "utf8" });
  const choice = chooseRuntime(measured, artefact, defaultRuntimes(options), layerFiles);
  requireRunnable(name, choice.runtime);
  requireNoLinuxCode(name, [artefact.folder, ...(layers === undefined ? [] : [layers.folder])]);
  if (layers !== undefined) requireExtensions(name, layers.folder, floorCell.architecture);
  const language = findLanguage(choice.runtime);
  if (language === "any") {
    requireBootstrap(name, artefact, floorCell.architecture, layers && { layers: layers.folder });
  } else requireWrapperOf(measured, artefact.folder, layers?.folder);
  if (language === "javascript") linkNodePackages(folder, choice.runtime, layers?.folder);
  return { measured, artefact, choice, ...defined({ layers }) };
}

async function addInterpreter(
  unpacked: OpenedFunction,
  options: InterpreterOptions,
  progress: Progress,
): Promise<FoundFunction> {
  const { measured, choice } = unpacked;
  const interpreter = await findInterpreter(choice.runtime, options, progress);
  if (interpreter === undefined) return unpacked;
  const isThatVersion =
    choice.runtime === `python${minorOf(interpreter.version)}` ||
    choice.runtime === `nodejs${interpreter.version.split(".")[0]}.x`;
  const languageName = findLanguage(choice.runtime) === "python" ? "Python" : "Node.js";
  const warning = `${measured.name} asks for ${choice.runtime} but runs on ${languageName} ${interpreter.version}`;
  return { ...unpacked, interpreter, ...(!isThatVersion && { warning }) };
}

/** Throws InvalidInput for a runtime that only exists on Lambda. */
function requireRunnable(name: string, runtime: string): void {
  if (findLanguage(runtime) !== "any" || isCustomRuntime(runtime)) return;
  const allowed =
    "provided.al2023, provided.al2, python3.N or nodejsN.x on this machine; others run on AWS alone (kelvin deploy --functions), or as a program whose bootstrap starts AWS's runtime interface client";
  throw new InvalidInput(`${name}: runtime`, runtime, allowed);
}

async function openLayersOf(
  { layerArtefacts }: MeasuredFunction,
  folder: string,
  functionBytes: number,
): Promise<OpenedLayers | undefined> {
  return layerArtefacts && (await openLayers(layerArtefacts, folder, functionBytes));
}

/** Throws InvalidInput if a function has layers that exist only on AWS. */
function requireLayers({ name, layers = [], layerArtefacts }: MeasuredFunction): void {
  if (layerArtefacts !== undefined || layers.length === 0) return;
  const allowed =
    "none on this machine, unless their content is given: --layer DIR_OR_ZIP for each";
  throw new InvalidInput(`${name}: layers`, layers, allowed);
}

function requireWrapperOf(
  { name, environment }: MeasuredFunction,
  taskRoot: string,
  layers = "/opt",
): void {
  const wrapper = environment?.AWS_LAMBDA_EXEC_WRAPPER;
  if (wrapper === undefined) return;
  requireWrapper(name, wrapper, placeOf(wrapper, { taskRoot, layers }));
}

/** Links the packages above the function's own files, where Node.js looks last: its own packages come first. */
function linkNodePackages(folder: string, runtime: string, layers: string | undefined): void {
  const modules = join(folder, "node_modules");
  const [, major = ""] = /^nodejs(\d+)/.exec(runtime) ?? [];
  if (layers !== undefined) {
    for (const each of nodeModulesOfLayers(major, layers)) linkPackages(each, modules);
  }
  linkOwnSdk(modules);
}

/** Looks for a Python only if an artefact is in Python: the others are measured without one. */
function defaultRuntimes({ python: named }: InterpreterOptions) {
  return {
    get python() {
      return `python${named === undefined ? ownPythonMinor() : minorOf(namedPythonVersion(named))}`;
    },
    node: ownNodeRuntime(),
  };
}

/** Returns this Node.js as a runtime. Lambda supports the even versions only. */
function ownNodeRuntime(): string {
  const major = Number(process.versions.node.split(".")[0]);
  return `nodejs${major - (major % 2)}.x`;
}

/** Returns undefined if the function is a program. Throws InvalidInput if no suitable version is installed. */
async function findInterpreter(
  runtime: string,
  { python, node, anyVersion }: InterpreterOptions,
  progress: Progress,
): Promise<Interpreter | undefined> {
  const options = { isAnyVersion: anyVersion === true, say: (line: string) => progress.say(line) };
  switch (findLanguage(runtime)) {
    case "python":
      return await findPythonFor(runtime, { ...options, named: python });
    case "javascript":
      return await findNodeFor(runtime, { ...options, named: node });
    default:
      return undefined;
  }
}
