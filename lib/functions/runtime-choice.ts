import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InvalidInput } from "../contract/errors.ts";
import type { MeasuredFunction } from "../contract/types/contract.ts";
import type { Architecture, Variant } from "../plan/experiment.ts";
import { type Artefact, readExecutable } from "./artefact.ts";

/** Lambda's runtime identifier, and the handler as in Lambda's configuration. */
export interface RuntimeChoice {
  readonly runtime: string;
  readonly handler: string;
}

/** Runtimes for an artefact that shows only the language. */
interface DefaultRuntimes {
  /** Lambda's identifier, such as python3.13. */
  readonly python: string;
  /** Lambda's identifier, such as nodejs24.x. */
  readonly node: string;
}

interface BootstrapContext {
  /** Why it must be built for that architecture. @default which this machine can run */
  readonly reason?: string;
  readonly layers?: string;
}

type Language = Variant["language"];

export function findLanguage(runtime: string): Language {
  if (runtime.startsWith("python")) return "python";
  return runtime.startsWith("nodejs") ? "javascript" : "any";
}

/** Returns whether a runtime is only an operating system, whose functions include a bootstrap. */
export function isCustomRuntime(runtime: string): boolean {
  return runtime.startsWith("provided");
}

/** Returns a runtime without its version: python, nodejs, java, dotnet, ruby or provided. */
function familyOf(runtime: string): string {
  return /^[a-z]+/.exec(runtime)?.[0] ?? runtime;
}

/**
 * Returns the given runtime and handler; missing ones are detected from the artefact. Throws InvalidInput, with what
 * was found, if the artefact is ambiguous.
 * @param layerFiles relative paths of the layers' files. @default none
 */
export function chooseRuntime(
  asked: Pick<MeasuredFunction, "name" | "runtime" | "handler">,
  artefact: Artefact,
  usual: DefaultRuntimes,
  layerFiles: readonly string[] = [],
): RuntimeChoice {
  const { runtime, handler } = asked;
  const defaults = withPackages(usual, [
    ...artefact.files,
    // A layer's other folders belong to its extensions and programs.
    ...layerFiles.filter((file) => file.startsWith("python/")),
  ]);
  const candidates = listCandidates(artefact, defaults);
  const isMeant = (candidate: RuntimeChoice) =>
    runtime === undefined || familyOf(candidate.runtime) === familyOf(runtime);
  if (handler !== undefined) {
    const found = runtime ?? runtimeOf(handler, artefact, defaults);
    if (found !== undefined) return { runtime: found, handler };
  }
  const meant = candidates.filter(isMeant);
  const [only] = meant;
  if (only !== undefined && meant.length === 1 && handler === undefined) {
    return { runtime: runtime ?? only.runtime, handler: only.handler };
  }
  // A bootstrap interprets the handler itself.
  if (runtime !== undefined && isCustomRuntime(runtime)) {
    return { runtime, handler: handler ?? "bootstrap" };
  }
  throw unclear(asked, artefact, meant);
}

/** Returns the defaults with the Python that packages were installed for, if they show exactly one. */
function withPackages(defaults: DefaultRuntimes, files: readonly string[]): DefaultRuntimes {
  const minors = new Set(files.flatMap((file) => packagesOf.exec(file)?.slice(1).join("") ?? []));
  const [minor] = minors;
  return minors.size === 1 ? { python: `python3.${minor}`, node: defaults.node } : defaults;
}

/** Extension modules (PEP 3149) and a layer's folder name the version of Python that loads them. */
const packagesOf = /\.cpython-3(\d+)-[^/]*\.so$|^python\/lib\/python3\.(\d+)\/site-packages\//;

function unclear(
  { name, runtime, handler }: Pick<MeasuredFunction, "name" | "runtime" | "handler">,
  artefact: Artefact,
  candidates: readonly RuntimeChoice[],
): InvalidInput {
  const missing = handler === undefined ? undefined : missingModule(handler, artefact, candidates);
  if (missing !== undefined) return missing;
  const field = `${name}: ${handler === undefined ? "runtime and handler" : "runtime"}`;
  const found = candidates.map((choice) => `${choice.runtime} ${choice.handler}`).join(", ");
  const content = contentText(artefact);
  const [one] = candidates;
  const example = `for example ${one === undefined ? exampleFor(artefact) : `--handler ${one.handler}`}`;
  const allowed = `named explicitly, ${example}; ${content}`;
  const shown =
    found === ""
      ? runtime === undefined
        ? `${artefact.path} shows no runtime and handler`
        : `${artefact.path} shows no handler for ${runtime}`
      : `${artefact.path} has more than one handler (${found})`;
  const asking = one === undefined ? "name them" : "name one";
  const message = `${shown}: ${asking}, ${example}${buildText(artefact)}; ${content}`;
  return new InvalidInput(field, found === "" ? undefined : found, allowed, message);
}

/** Returns options for an artefact without a handler that Kelvin detects, in its language if its files show that. */
function exampleFor({ files }: Artefact): string {
  const [, runtime] = languagesOnAws.find(([file]) => files.some((each) => file.test(each))) ?? [];
  return runtime ?? "--runtime python3.13 --handler app.handler";
}

/** Files of the languages that run on AWS alone, with options for them. */
const languagesOnAws: readonly (readonly [file: RegExp, options: string])[] = [
  [/\.rb$/, "--runtime ruby3.4 --handler lambda_function.lambda_handler, on AWS alone"],
  [/\.(jar|class|java)$/, "--runtime java21 --handler example.Handler, on AWS alone"],
  [/\.(dll|cs)$/, "--runtime dotnet8 --handler Assembly::Namespace.Class::Method, on AWS alone"],
];

/** Returns how the tool of a project builds what is measured; empty if the artefact is not the source of one. */
function buildText({ files }: Artefact): string {
  if (files.some((file) => /^template\.ya?ml$/.test(file))) {
    return ", or run sam build and measure a folder in .aws-sam/build";
  }
  return files.some((file) => /^serverless\.(ya?ml|json|ts|js)$/.test(file))
    ? ", or run serverless package and measure a zip in .serverless"
    : "";
}

/** Returns the error for a handler in a file that the artefact lacks; undefined if another runtime could have it. */
function missingModule(
  handler: string,
  artefact: Artefact,
  candidates: readonly RuntimeChoice[],
): InvalidInput | undefined {
  const [language, another] = new Set(candidates.map(({ runtime }) => findLanguage(runtime)));
  if (language === undefined || language === "any" || another !== undefined) return undefined;
  const allowed = candidates.map((candidate) => candidate.handler).join(", ");
  if (!handler.includes(".")) {
    const message = `--handler takes FILE.FUNCTION, such as ${candidates[0]?.handler}, not ${handler}`;
    return new InvalidInput("--handler", handler, allowed, message);
  }
  const module = handler.slice(0, handler.lastIndexOf("."));
  const file = `${module.replaceAll(".", "/")}.${language === "python" ? "py" : "js"}`;
  const message = `${artefact.path} has no ${file} for the handler ${handler}: ${contentText(artefact)}`;
  return new InvalidInput("--handler", handler, allowed, message);
}

function contentText({ path, files }: Artefact): string {
  const atRoot = files.filter((file) => !file.includes("/")).slice(0, shownFiles);
  return `${path} contains ${atRoot.join(", ") || "no file at its root"}`;
}

const shownFiles = 8;

/** Detects the runtime from the file that the handler names; undefined if there is none, or if there are several. */
function runtimeOf(
  handler: string,
  { files }: Artefact,
  defaults: DefaultRuntimes,
): string | undefined {
  const module = handler.slice(0, handler.lastIndexOf("."));
  const isThere = (...paths: readonly string[]) => paths.some((path) => files.includes(path));
  const path = module.replaceAll(".", "/");
  const found = [
    ...(isThere(`${path}.py`, `${path}/__init__.py`) ? [defaults.python] : []),
    ...(isThere(`${module}.js`, `${module}.mjs`, `${module}.cjs`) ? [defaults.node] : []),
    ...(isThere("bootstrap") ? [customRuntime] : []),
  ];
  return found.length === 1 ? found[0] : undefined;
}

const customRuntime = "provided.al2023";

/** Returns a bootstrap, or the handlers in the files where Lambda's own examples have them. */
function listCandidates(
  { folder, files }: Artefact,
  defaults: DefaultRuntimes,
): readonly RuntimeChoice[] {
  if (files.includes("bootstrap")) return [{ runtime: customRuntime, handler: "bootstrap" }];
  const atRoot = files.filter((file) => !file.includes("/"));
  const found = atRoot.flatMap((file) => {
    const text = () => readFileSync(join(folder, file), "utf8");
    const [, module = "", extension = ""] = /^([\w-]+)\.(py|m?js|cjs)$/.exec(file) ?? [];
    if (module === "") return [];
    const [runtime, names] =
      extension === "py"
        ? ([defaults.python, pythonHandlers(text())] as const)
        : ([defaults.node, nodeHandlers(text())] as const);
    return names.map((name) => ({ runtime, handler: `${module}.${name}` }));
  });
  const usual = found.filter(({ handler }) => usualHandlers.includes(handler));
  return usual.length === 1 ? usual : found;
}

/** The console's default names. */
const usualHandlers = ["lambda_function.lambda_handler", "index.handler"];

function pythonHandlers(text: string): readonly string[] {
  return ["lambda_handler", "handler"].filter((name) =>
    new RegExp(`^(?:async )?def ${name}\\(|^${name} *=`, "m").test(text),
  );
}

/** Finds handlers in CommonJS, written by hand or generated by TypeScript or esbuild, and in ES modules. */
function nodeHandlers(text: string): readonly string[] {
  const exported = [
    /\bexports\.handler\s*=/,
    /^\s*export\s+(?:const|let|var|(?:async\s+)?function\*?)\s+handler\b/m,
    /\bexport\s*\{[^}]*\bhandler\b[^}]*\}/,
    /\bmodule\.exports\s*=\s*\{[^}]*\bhandler\b/,
    /__export\(\w+,\s*\{[^}]*\bhandler\s*:/,
  ];
  return exported.some((pattern) => pattern.test(text)) ? ["handler"] : [];
}

/**
 * Throws InvalidInput if a bootstrap is missing, not executable, or built for another architecture.
 * @param layers folder of the layers' content, where Lambda looks for a bootstrap that the artefact lacks
 */
export function requireBootstrap(
  name: string,
  artefact: Artefact,
  meant: Architecture,
  { reason = "which this machine can run", layers }: BootstrapContext = {},
): void {
  const field = `${name}: bootstrap`;
  const isOwn = artefact.files.includes("bootstrap");
  if (!isOwn && (layers === undefined || !existsSync(join(layers, "bootstrap")))) {
    const allowed = `a file of that name at the root of ${artefact.path} or of a layer (--layer)`;
    throw new InvalidInput(field, undefined, allowed);
  }
  const path = join(isOwn ? artefact.folder : (layers ?? ""), "bootstrap");
  try {
    accessSync(path, constants.X_OK);
  } catch {
    const allowed =
      "an executable file: Lambda could not start this one either (chmod +x, then zip it again)";
    throw new InvalidInput(field, "a file that is not executable", allowed);
  }
  const executable = readExecutable(path);
  if (executable.kind === "other") {
    throw new InvalidInput(
      field,
      "neither a program nor a script",
      "an ELF binary, or a script that starts with #!",
    );
  }
  if (executable.kind === "script" || executable.architecture === meant) return;
  const found = `a binary for ${executable.architecture}`;
  throw new InvalidInput(field, found, `one for ${meant}, ${reason}`);
}
