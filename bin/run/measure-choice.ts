import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput, inPlace } from "../../lib/contract/errors.ts";
import { parseJson } from "../../lib/contract/lines.ts";
import type {
  ExpectedAnswer,
  FunctionsFile,
  MeasuredFunction,
  NamedEvent,
} from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import { unreadableText } from "../../lib/functions/artefact.ts";
import { checkedFunctions, readFunctionsFile } from "../../lib/functions/functions-file.ts";
import {
  type EventSource,
  eventSources,
  serviceEvent,
} from "../../lib/functions/service-events.ts";
import { listOwnServices } from "../../lib/local/own-services.ts";
import { toFunctionName } from "../../lib/plan/functions-subject.ts";
import { requireService } from "../../lib/toolchain/service-programs.ts";
import { readServices, type ServiceOptions } from "./service-choice.ts";

/** The options for a user's functions, as commander passes them. */
export interface FunctionOptions extends ServiceOptions {
  readonly functions?: string;
  readonly runtime?: string;
  readonly handler?: string;
  readonly env?: readonly string[];
  readonly layer?: readonly string[];
  readonly event?: readonly string[];
  readonly expect?: readonly string[];
  readonly expectStatus?: readonly string[];
  readonly memory?: readonly number[] | "auto";
  readonly timeout?: number;
}

/**
 * Returns the functions file that a command line describes: the one it names, overridden by the other options, or one
 * made from the options. Throws InvalidInput naming the option.
 */
export function functionsFile(
  artefacts: readonly string[],
  options: FunctionOptions,
): FunctionsFile {
  const read = options.functions === undefined ? undefined : readFunctionsFile(options.functions);
  if (read !== undefined && artefacts.length > 0) {
    throw new InvalidInput("artefacts", artefacts, `none: ${options.functions} already names them`);
  }
  const functions = (read?.functions ?? named(artefacts)).map((each) => withOptions(each, options));
  const events = withExpectations(
    options.event === undefined ? (read?.events ?? defaultEvents) : options.event.map(readEvent),
    options,
  );
  const { memory, timeout } = options;
  const services = readServices(read?.services, options, readJson);
  for (const service of listOwnServices(services)) requireService(service);
  const file: FunctionsFile = {
    ...read,
    schemaVersion: 1,
    functions,
    ...(memory !== undefined && { memoryMb: memory === "auto" ? [...sizeLadder] : [...memory] }),
    ...defined({ timeoutSeconds: timeout }),
    events,
    ...defined({ services }),
  };
  const problem = contractProblem("functions", file);
  if (problem !== undefined) throw inPlace(optionFor(problem.field), problem);
  return checkedFunctions(file);
}

/** The sizes that --memory auto chooses from: the smallest to two vCPUs, each up to twice the one before. */
const sizeLadder: readonly number[] = [128, 256, 512, 1024, 1769, 3008];

/** Returns the option that set a field of the file. */
function optionFor(field: string): string {
  const known = field.split(".").findLast((name) => optionOfField.has(name));
  return optionOfField.get(known ?? "") ?? "options";
}

const optionOfField: ReadonlyMap<string, string> = new Map([
  ["artefact", "artefacts"],
  ["name", "artefacts"],
  ["runtime", "--runtime"],
  ["handler", "--handler"],
  ["environment", "--env"],
  ["layerArtefacts", "--layer"],
  ["memoryMb", "--memory"],
  ["timeoutSeconds", "--timeout"],
  ["events", "--event"],
  ["expected", "--expect"],
  ["services", "--service"],
]);

const defaultEvents: readonly NamedEvent[] = [{ name: "invoke", payload: {} }];

/** Names functions after their files, or numbers them if two have the same name. */
function named(artefacts: readonly string[]): readonly MeasuredFunction[] {
  if (artefacts.length === 0) {
    const allowed = "a zip or a folder, or --functions FILE";
    const message =
      "nothing to measure: kelvin measure function.zip, or --functions functions.json";
    throw new InvalidInput("artefacts", undefined, allowed, message);
  }
  const names = artefacts.map(nameOf);
  const areDifferent = new Set(names).size === names.length;
  return artefacts.map((artefact, index) => ({
    name: areDifferent ? (names[index] ?? "") : (orderNames[index] ?? `other-${index}`),
    artefact,
  }));
}

const orderNames = ["base", "head"];

function nameOf(artefact: string): string {
  return toFunctionName(basename(artefact).replace(/\.(zip|jar)$/i, ""));
}

function withOptions(
  each: MeasuredFunction,
  { runtime, handler, env = [], layer }: FunctionOptions,
): MeasuredFunction {
  const environment = { ...each.environment, ...Object.fromEntries(env.map(readVariable)) };
  return {
    ...each,
    ...defined({ runtime, handler }),
    ...(layer !== undefined && { layerArtefacts: [...layer] }),
    ...(Object.keys(environment).length > 0 && { environment }),
  };
}

function readVariable(text: string): readonly [string, string] {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw new InvalidInput("env", text, "NAME=value", `--env takes NAME=value, not ${text}`);
}

/**
 * Parses `get=get.json`. The default name is the file's own, or `invoke` for `{...}`. After `sqs:` and the like comes
 * the body of the service's event.
 */
function readEvent(text: string): NamedEvent {
  const { name, rest: given } = splitName(text);
  const { source, rest } = splitSource(given);
  const body = source !== undefined && rest === "" ? undefined : readJson("event", rest);
  const payload = source === undefined ? body : serviceEvent(source, body);
  if (name !== undefined) return { name, payload };
  const ofFile = basename(rest).replace(/\.json$/, "");
  const usual = source ?? "invoke";
  return { name: !isLiteral(rest) && eventName.test(ofFile) ? ofFile : usual, payload };
}

/** Parses `sqs:body.json`. HTTP events may lack the body. An existing file with the text's name takes precedence. */
function splitSource(text: string): { readonly source?: EventSource; readonly rest: string } {
  const [, named, rest] = /^([a-z0-9-]+)(?::([\s\S]*))?$/.exec(text) ?? [];
  const source = eventSources.find((each) => each === named);
  if (source === undefined || existsSync(text)) return { rest: text };
  const mayLackBody = source === "apigateway" || source === "function-url";
  if (mayLackBody || (rest !== undefined && rest !== "")) return { source, rest: rest ?? "" };
  const message = `--event ${source}: give its body, as ${source}:body.json or ${source}:'{"id":1}'`;
  throw new InvalidInput("event", text, `${source}:BODY`, message);
}

const eventName = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

function splitName(text: string): { readonly name?: string; readonly rest: string } {
  const [, name, rest] = /^([A-Za-z][A-Za-z0-9_-]{0,39})=([\s\S]+)$/.exec(text) ?? [];
  return name === undefined || rest === undefined ? { rest: text } : { name, rest };
}

function isLiteral(text: string): boolean {
  return /^\s*[{["]/.test(text);
}

/** Parses JSON text, or the content of a JSON file. */
function readJson(option: string, text: string): unknown {
  const isFile = !isLiteral(text) && existsSync(text);
  const value = parseJson(isFile ? readText(option, text) : text);
  if (value !== undefined) return value;
  const allowed = "a JSON file or JSON text; any NAME= goes before it";
  throw new InvalidInput(
    option,
    text,
    allowed,
    `--${option}: ${notJsonText(option, text, isFile)}`,
  );
}

function notJsonText(option: string, text: string, isFile: boolean): string {
  if (isFile || isLiteral(text)) return `${text} is not JSON`;
  const [, service] = /^([a-z][a-z0-9-]+):/.exec(text) ?? [];
  if (option !== "event" || service === undefined) return `no such file: ${text}`;
  return `no such file: ${text}; and no events of ${service}, only of ${eventSources.join(", ")}`;
}

function readText(option: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new InvalidInput(option, path, "a JSON file", unreadableText(path, error));
  }
}

/** Adds the expectations; one without an event's name applies to every event. */
function withExpectations(
  events: readonly NamedEvent[],
  { expect = [], expectStatus = [] }: FunctionOptions,
): NamedEvent[] {
  const expectations = [
    ...expect.map((text) => expectation("expect", text, events)),
    ...expectStatus.map((text) => expectation("expect-status", text, events)),
  ];
  return events.map((event) => {
    const own = expectations.filter(({ name }) => name === undefined || name === event.name);
    const expected = Object.assign({}, event.expected, ...own.map(({ answer }) => answer));
    return Object.keys(expected).length === 0 ? event : { ...event, expected };
  });
}

function expectation(
  option: "expect" | "expect-status",
  text: string,
  events: readonly NamedEvent[],
): { readonly name?: string; readonly answer: ExpectedAnswer } {
  const { name, rest } = splitName(text);
  const known = events.map((event) => event.name);
  if (name !== undefined && !known.includes(name)) {
    const allowed = `the name of an event before =: ${known.join(", ")}`;
    const message = `--${option} ${name}=...: there is no event ${name}, only ${known.join(", ")}`;
    throw new InvalidInput(option, text, allowed, message);
  }
  const event = name === undefined ? {} : { name };
  if (option === "expect") return { ...event, answer: { subset: readJson(option, rest) } };
  if (!/^[1-5]\d\d$/.test(rest)) {
    const message = `--expect-status takes a status such as 200, not ${rest}`;
    throw new InvalidInput(option, rest, "a status such as 200", message);
  }
  return { ...event, answer: { statusCode: Number(rest) } };
}
