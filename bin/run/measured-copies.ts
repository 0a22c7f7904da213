import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { LambdaClient } from "@aws-sdk/client-lambda";
import { looksSecret } from "../../lib/aws/adopt-function.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { FunctionsFile, MeasuredFunction } from "../../lib/contract/types/contract.ts";
import { readFunctionsFile, writeFunctionsFile } from "../../lib/functions/functions-file.ts";
import { onBothArchitectures } from "../../lib/functions/one-factor.ts";
import type { Progress } from "../progress.ts";
import { type FunctionOptions, functionsFile } from "./measure-choice.ts";
import { writeAdopted } from "./write-adopted.ts";

/** A parsed function ARN. */
export interface FunctionArn {
  readonly arn: string;
  readonly region: string;
  readonly account: string;
  readonly name: string;
  /** A version or an alias. Absent for $LATEST. */
  readonly qualifier?: string;
}

/** Returns whether a word of the command line looks like an ARN. */
export function isFunctionArn(text: string): boolean {
  return /^arn:[\w-]+:/.test(text);
}

/** Parses an ARN: https://docs.aws.amazon.com/lambda/latest/api/API_GetFunction.html. Throws InvalidInput. */
export function parseFunctionArn(arn: string): FunctionArn {
  const form =
    /^arn:[\w-]+:lambda:([a-z0-9-]+):(\d{12}):function:([\w-]{1,140})(?::([\w$-]{1,128}))?$/;
  const [, region, account, name, qualifier] = form.exec(arn) ?? [];
  if (region === undefined || account === undefined || name === undefined) {
    const allowed =
      "arn:aws:lambda:REGION:ACCOUNT:function:NAME, with or without a version or alias";
    const message = `${arn} is not the ARN of a function: ${allowed}`;
    throw new InvalidInput("function", arn, allowed, message);
  }
  const isLatest = qualifier === undefined || qualifier === "$LATEST";
  return { arn, region, account, name, ...(!isLatest && { qualifier }) };
}

/** The options of `kelvin measure` that apply to copies of deployed functions. */
type CopyOptions = Pick<
  FunctionOptions,
  "event" | "expect" | "expectStatus" | "memory" | "timeout" | "env"
> & { readonly copySecrets?: true; readonly apply?: string };

/** The functions file of the copies. */
export interface Copies {
  readonly path: string;
  /** Values of variables that look like secrets, by the text that the file has in their place. */
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Writes a functions file for the deployed functions, without secrets, and their zips to the folder. The
 * functions are only read, with GetFunction.
 */
export async function writeCopies(
  arns: readonly FunctionArn[],
  options: CopyOptions,
  {
    folder,
    client,
    progress,
  }: { readonly folder: string; readonly client: LambdaClient; readonly progress: Progress },
): Promise<Copies> {
  const adopted: FunctionsFile[] = [];
  for (const [index, { arn, name, qualifier }] of arns.entries()) {
    const of = arns.length === 1 ? "" : `${[name, qualifier].filter(Boolean).join(":")}: `;
    const place = join(folder, `${index}`);
    mkdirSync(place);
    const out = join(place, "functions.json");
    const { copySecrets } = options;
    const { notes } = await writeAdopted(arn, { out, ...(copySecrets && { copySecrets }) }, client);
    const isOfEvent = (note: string) => note.startsWith("the event is {}");
    for (const note of notes)
      if (options.event === undefined || !isOfEvent(note)) progress.say(`${of}${note}`);
    adopted.push(readFunctionsFile(out));
  }
  const merged = join(folder, "adopted.json");
  await writeFunctionsFile(merged, mergedFile(adopted, arns));
  const path = join(folder, "functions.json");
  const file = functionsFile([], { ...options, functions: merged });
  for (const measured of file.functions) requireSecrets(measured);
  const { memoryMb: own = [] } = readFunctionsFile(merged);
  const { memoryMb = [] } = file;
  const added = options.apply === undefined ? [] : own.filter((size) => !memoryMb.includes(size));
  if (added.length > 0) progress.say(`${added} MB, the present size, is measured beside: --apply`);
  const sizes = [...memoryMb, ...added].sort((a, b) => a - b);
  const secrets = new Map<string, string>();
  const functions = file.functions.map(withoutSecrets(secrets));
  await writeFunctionsFile(path, { ...file, functions, memoryMb: sizes });
  return { path, secrets };
}

/** Replaces values that look like secrets, and keeps them by the text that is in their place now. */
function withoutSecrets(secrets: Map<string, string>) {
  const replaced = ([name, value]: readonly [string, string]) => {
    if (!looksSecret(name, value)) return [name, value];
    const text = `kelvin-secret-${secrets.size + 1}`;
    secrets.set(text, value);
    return [name, text];
  };
  return ({ environment, ...measured }: MeasuredFunction): MeasuredFunction => ({
    ...measured,
    ...(environment && {
      environment: Object.fromEntries(Object.entries(environment).map(replaced)),
    }),
  });
}

/** Throws InvalidInput if a variable that looks like a secret has no value. */
function requireSecrets({ name, environment = {}, secretNames = [] }: MeasuredFunction): void {
  const absent = secretNames.filter((secret) => environment[secret] === undefined);
  if (absent.length === 0) return;
  const allowed =
    "--env NAME=VALUE for each, or --copy-secrets, which copies their values to the copies, not into the template";
  throw new InvalidInput(`${name}: variables that look like secrets`, absent, allowed);
}

/** Merges the files into one: every size, the longest timeout, every architecture. */
function mergedFile(files: readonly FunctionsFile[], arns: readonly FunctionArn[]): FunctionsFile {
  const [first] = files as [FunctionsFile, ...FunctionsFile[]];
  const architectures = [...new Set(files.flatMap((file) => file.architectures ?? []))];
  const sizes = new Set(files.flatMap(({ memoryMb = [] }) => memoryMb));
  return {
    ...first,
    functions: architectures.length > 1 ? [onBoth(files)] : namedApart(files, arns),
    architectures,
    memoryMb: [...sizes].sort((a, b) => a - b),
    timeoutSeconds: Math.max(...files.map(({ timeoutSeconds = 3 }) => timeoutSeconds)),
  };
}

/** Makes two functions of different architectures one on both, with x86_64 as the base. Throws InvalidInput. */
function onBoth(files: readonly FunctionsFile[]): MeasuredFunction {
  const [first, second] = files.map(({ architectures = [], functions: [measured] }) => ({
    architecture: architectures[0],
    measured,
  }));
  if (first?.measured === undefined || second?.measured === undefined) {
    throw new Error("Two architectures need two functions");
  }
  if (first.architecture !== "x86_64") {
    const allowed = "x86_64 first: arm64 is compared with x86_64, which is the base";
    throw new InvalidInput("architectures", [first.architecture, second.architecture], allowed);
  }
  return onBothArchitectures(first.measured, second.measured);
}

/** Appends the version or alias to the names of functions that are versions of one. */
function namedApart(
  files: readonly FunctionsFile[],
  arns: readonly FunctionArn[],
): MeasuredFunction[] {
  const functions = files.flatMap((file) => file.functions);
  const [first, second] = functions;
  if (first?.name !== second?.name) return [...functions];
  return functions.map((each, index) => {
    const qualifier = arns[index]?.qualifier ?? "latest";
    const suffix = qualifier
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .slice(0, 12);
    return { ...each, name: `${each.name.slice(0, 29 - suffix.length)}-${suffix}` };
  });
}
