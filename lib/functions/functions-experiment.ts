import { defined } from "../contract/defined.ts";
import type { FunctionsFile, MeasuredFunction } from "../contract/types/contract.ts";
import type {
  Architecture,
  ArtefactSource,
  DeployedCode,
  Experiment,
  Variant,
} from "../plan/experiment.ts";
import { functionsExperimentId, functionsTitle } from "../plan/functions-subject.ts";
import type { Artefact } from "./artefact.ts";
import { isImageReference, parseImage } from "./container-image.ts";
import { declaredFactors } from "./one-factor.ts";
import { findLanguage, type RuntimeChoice } from "./runtime-choice.ts";

/** A function of the file, and what was found in its artefact. */
export interface OpenedFunction {
  readonly measured: MeasuredFunction;
  readonly artefact: Artefact;
  readonly choice: RuntimeChoice;
  /** Different artefacts by architecture on AWS. @default none */
  readonly byArchitecture?: Readonly<Partial<Record<Architecture, Artefact>>>;
  /** The interpreter that runs it on this machine. @default it is an executable */
  readonly interpreter?: ArtefactSource["interpreter"];
  /** @default none */
  readonly layers?: ArtefactSource["layers"];
}

/** Default sizes. 1,769 MB has one vCPU: below it memory buys CPU time, and the four sizes show how much that helps. */
const defaultMemoryMb: readonly number[] = [128, 512, 1024, 1769];

const defaultTimeoutSeconds = 30;

/**
 * Returns the experiment that a functions file describes. Each function is a variant, the first one the baseline;
 * each event is an operation, the first one also the cold operation.
 */
export function functionsExperiment(
  file: FunctionsFile,
  functions: readonly OpenedFunction[],
): Experiment {
  const [base] = functions;
  const [first] = file.events;
  if (base === undefined || first === undefined) throw new Error("no function, or no event");
  const memoryMb = file.memoryMb ?? defaultMemoryMb;
  const names = functions.map(({ measured }) => measured.name);
  const factors = declaredFactors(file);
  return {
    id: functionsExperimentId,
    ...functionsTitle(names),
    variants: functions.map(makeVariant),
    baselineVariant: base.measured.name,
    replicaVariant: base.measured.name,
    memoryMb,
    quickMemoryMb: memoryMb,
    coldOperation: first.name,
    warmOperations: file.events.map(({ name }) => name),
    requests: Object.fromEntries(
      file.events.map(({ name, payload, expected }) => [
        name,
        { event: payload, ...defined({ answer: expected }) },
      ]),
    ),
    ownResults: true,
    ...(factors.length > 0 && { factors }),
    ...defined({ ownServices: file.services }),
    timeoutSeconds: file.timeoutSeconds ?? defaultTimeoutSeconds,
    presets: {
      quick: { environments: 9, warmEnvironments: 9, warmCalls: 99 },
      standard: { environments: 60, warmEnvironments: 60, warmCalls: 480 },
    },
    discardedCalls: 3,
  };
}

function makeVariant(opened: OpenedFunction): Variant {
  const { measured, artefact, choice, interpreter, layers } = opened;
  const { sha256, sizeBytes, zipBytes } = artefact;
  const { name, layers: layerVersions, permissions, aws: copySettings } = measured;
  return {
    id: name,
    label: name,
    language: findLanguage(choice.runtime),
    runtime: choice.runtime,
    source: {
      kind: "artefact",
      ...deployedCode(name, artefact),
      handler: choice.handler,
      environment: measured.environment ?? {},
      sha256,
      sizeBytes,
      ...defined({ zipBytes, interpreter, layers, layerVersions, permissions, copySettings }),
      ...(opened.byArchitecture !== undefined && {
        byArchitecture: Object.fromEntries(
          Object.entries(opened.byArchitecture).map(([architecture, other]) => [
            architecture,
            deployedCode(name, other),
          ]),
        ),
      }),
    },
  };
}

function deployedCode(name: string, { path, folder, zip }: Artefact): DeployedCode {
  return {
    folder,
    ...defined({ zip }),
    ...(isImageReference(path) && { image: parseImage(name, path) }),
  };
}

/** Describes a function in one line: its artefact, and its runtime and handler. */
export function describeFunction({ measured, artefact, choice }: OpenedFunction): string {
  const { runtime, handler } = choice;
  if (isImageReference(artefact.path)) return `${measured.name}: ${artefact.path}`;
  const detected = [
    ...(measured.runtime === undefined ? ["runtime"] : []),
    ...(measured.handler === undefined ? ["handler"] : []),
  ];
  const detectedField = detected.length === 1 ? `${detected[0]} ` : "";
  const found = detected.length === 0 ? "" : ` (${detectedField}found in the artefact)`;
  const size = `${Math.ceil((artefact.zipBytes ?? artefact.sizeBytes) / 1024)} KB`;
  return `${measured.name}: ${artefact.path} (${size}), ${runtime}, ${handler}${found}`;
}
