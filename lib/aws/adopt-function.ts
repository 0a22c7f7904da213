import { createHash } from "node:crypto";
import {
  type FunctionConfiguration,
  GetFunctionCommand,
  type GetFunctionCommandOutput,
  type LambdaClient,
} from "@aws-sdk/client-lambda";
import { defined } from "../contract/defined.ts";
import { InvalidInput, inPlace } from "../contract/errors.ts";
import type { FunctionsFile, MeasuredFunction } from "../contract/types/contract.ts";
import { contractProblem } from "../contract/validate.ts";
import { toFunctionName } from "../plan/functions-subject.ts";
import { accountAccess, callerCredentials } from "./account-access.ts";
import {
  copiedSettings,
  listNotCopied,
  listNotCopiedElsewhere,
  requireFunctionArn,
  requireMeasurable,
} from "./adopted-settings.ts";
import { type ControlLambdaClient, controlLambdaClient } from "./clients.ts";
import { credentialsProblem } from "./credentials-problem.ts";

/** A deployed function, read without changing or invoking it. */
interface DeployedFunction {
  readonly configuration: FunctionConfiguration;
  readonly code: DeployedCode;
  /** Settings that a functions file cannot express, each with its effect on the result. */
  readonly notCopied: readonly string[];
}

/** The zip as it was uploaded, or the image by its digest. */
type DeployedCode =
  | { readonly kind: "zip"; readonly zip: Uint8Array }
  | { readonly kind: "image"; readonly uri: string };

/** Returns a client for the function's Region. */
export function adoptingClient(arn: string): ControlLambdaClient {
  const [, region] = /^arn:[\w-]+:lambda:([\w-]+):/.exec(arn) ?? [];
  return controlLambdaClient({
    credentials: callerCredentials(),
    region: async () => (await accountAccess({ region })).region,
  });
}

/**
 * Reads the configuration and the zip of a function. The download address that GetFunction returns is valid for ten
 * minutes. Throws InvalidInput if the function cannot be adopted.
 * https://docs.aws.amazon.com/lambda/latest/api/API_GetFunction.html
 */
export async function readDeployedFunction(
  client: LambdaClient,
  arn: string,
): Promise<DeployedFunction> {
  requireFunctionArn(arn);
  const found = await getFunction(client, arn);
  const { Configuration: configuration, Code: code, Concurrency } = found;
  if (configuration === undefined)
    throw new Error(`GetFunction returned no configuration for ${arn}`);
  requireMeasurable(configuration);
  if (code?.Error !== undefined) {
    const { ErrorCode, Message = "no reason given" } = code.Error;
    throw new Error(`Lambda could not give the code of ${arn}: ${ErrorCode}: ${Message}`);
  }
  const notCopied = [
    ...listNotCopied(configuration, code, Concurrency?.ReservedConcurrentExecutions),
    ...(await listNotCopiedElsewhere(client, { FunctionArn: arn, ...configuration })),
  ];
  if (configuration.PackageType === "Image" || code?.RepositoryType === "ECR") {
    const uri = code?.ResolvedImageUri;
    if (uri === undefined) throw new Error(`GetFunction returned no image by digest for ${arn}`);
    return { configuration, code: { kind: "image", uri }, notCopied };
  }
  if (code?.Location === undefined) {
    throw new Error(`GetFunction returned no download address for the zip of ${arn}`);
  }
  const zip = await download(code.Location, configuration);
  return { configuration, code: { kind: "zip", zip }, notCopied };
}

async function getFunction(client: LambdaClient, arn: string): Promise<GetFunctionCommandOutput> {
  try {
    return await client.send(new GetFunctionCommand({ FunctionName: arn }));
  } catch (error) {
    const { name, message } = error as Error;
    if (name === "ResourceNotFoundException") {
      throw new InvalidInput(
        "function",
        arn,
        `an existing function: aws lambda list-functions --region ${await client.config.region()} lists the ARNs`,
      );
    }
    if (name === "ValidationException" || name === "InvalidParameterValueException") {
      throw new InvalidInput("function", arn, `an ARN or a name of a function (${message})`);
    }
    if (name === "AccessDeniedException") {
      throw new Error(`Lambda denied access: ${message}; it requires lambda:GetFunction on ${arn}`);
    }
    throw credentialsProblem(error, "Lambda") ?? error;
  }
}

/** Downloads the zip and checks it against the CodeSha256 that Lambda reports. */
async function download(
  address: string,
  { CodeSha256: expected, FunctionName: name }: FunctionConfiguration,
): Promise<Uint8Array> {
  const response = await fetch(address);
  if (!response.ok) {
    throw new Error(`the zip of ${name} could not be downloaded: HTTP ${response.status}`);
  }
  const zip = new Uint8Array(await response.arrayBuffer());
  const found = createHash("sha256").update(zip).digest("base64");
  if (expected === undefined || found === expected) return zip;
  throw new Error(`the zip of ${name} has the SHA-256 ${found}; Lambda says ${expected}`);
}

interface AdoptOptions {
  /** Path of the zip relative to the working directory, or address of the image. */
  readonly artefact: string;
  readonly payload: unknown;
  readonly copySecrets: boolean;
}

/** Converts the function's name to one that functions files and zips allow. */
export function adoptedName({ FunctionName = "" }: FunctionConfiguration): string {
  return toFunctionName(FunctionName);
}

/** Describes a deployed function as a functions file. Throws InvalidInput if no functions file can describe it. */
export function adoptedFunctions(
  configuration: FunctionConfiguration,
  options: AdoptOptions,
): FunctionsFile {
  const file: FunctionsFile = {
    schemaVersion: 1,
    functions: [adoptedFunction(configuration, options)],
    architectures: configuration.Architectures ?? ["x86_64"],
    memoryMb: [configuration.MemorySize ?? 128],
    timeoutSeconds: configuration.Timeout ?? 3,
    events: [{ name: "event", payload: options.payload }],
  };
  const problem = contractProblem("functions", file);
  if (problem !== undefined) throw inPlace(`${configuration.FunctionName}`, problem);
  return file;
}

function adoptedFunction(
  configuration: FunctionConfiguration,
  { artefact, copySecrets }: AdoptOptions,
): MeasuredFunction {
  const { Handler: handler, Role: roleArn, Runtime, Environment: environment } = configuration;
  const variables = Object.entries(environment?.Variables ?? {}).sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const isHeldBack = ([name, value]: readonly [string, string]) =>
    !copySecrets && looksSecret(name, value);
  const copied = Object.fromEntries(variables.filter((each) => !isHeldBack(each)));
  const secretNames = variables.filter(isHeldBack).map(([name]) => name);
  const layers = (configuration.Layers ?? []).flatMap(({ Arn }) => Arn ?? []);
  const aws = copiedSettings(configuration);
  return {
    name: adoptedName(configuration),
    artefact,
    ...defined({ runtime: Runtime, handler }),
    ...(Object.keys(copied).length > 0 && { environment: copied }),
    ...(secretNames.length > 0 && { secretNames }),
    ...(layers.length > 0 && { layers }),
    ...(roleArn !== undefined && { permissions: { roleArn } }),
    ...defined({ aws }),
  };
}

/** Words in a variable's name that mark its value as a secret. */
const secretWords = new Set(
  "key keys token tokens secret secrets password passwd passphrase pwd pass credential credentials creds dsn auth private cert pem salt cookie jwt webhook signature".split(
    " ",
  ),
);

/** Matches secret words inside longer ones: dbpassword, APITOKEN. */
const secretPart =
  /apikey|accesskey|privatekey|password|passwd|secret|token|credential|connectionstring/i;

/** Values that look like secrets, regardless of the variable's name. */
const secretForms: readonly RegExp[] = [
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\beyJ[\w-]{10,}\.[\w-]+\.[\w-]*/,
  /\b(?:gh[opsru]_|github_pat_|glpat-|xox[abprs]-|sk_live_|sk-)[\w-]{10,}/,
  // A URL that contains a user's password.
  /:\/\/[^/\s:@]*:[^/\s@]+@/,
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
];

/** Values that contain no secret, so they may be shown under any name. */
const harmless = /^(?:arn:aws[\w-]*:\S+|true|false|)$/i;

const longestWord = 20;
const fewestDigits = 3;
/** Bits per character. English text of this length has about 4, but hardly any digits. */
const leastEntropy = 3;

/** Returns whether an environment variable may hold a secret. False positives are preferred to false negatives. */
export function looksSecret(name: string, value: string): boolean {
  if (secretForms.some((form) => form.test(value))) return true;
  if (harmless.test(value)) return false;
  return isSecretName(name) || value.split(/[^A-Za-z0-9+=]/).some(looksRandom);
}

function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word) => secretWords.has(word)) || secretPart.test(name);
}

/** Returns whether a word is long and mixes digits and letters at random, unlike CloudFormation's names. */
function looksRandom(word: string): boolean {
  const digits = word.replaceAll(/\D/g, "").length;
  const letters = word.replaceAll(/[^A-Za-z]/g, "").length;
  if (word.length < longestWord || digits < fewestDigits || letters === 0) return false;
  return entropyBits(word) >= leastEntropy;
}

/** Returns the Shannon entropy in bits per character. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, n) => {
    const share = n / text.length;
    return bits - share * Math.log2(share);
  }, 0);
}
