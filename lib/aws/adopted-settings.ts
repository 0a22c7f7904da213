import {
  type FunctionConfiguration,
  GetAliasCommand,
  type GetFunctionCommandOutput,
  GetProvisionedConcurrencyConfigCommand,
  GetRuntimeManagementConfigCommand,
  type LambdaClient,
} from "@aws-sdk/client-lambda";
import { defined } from "../contract/defined.ts";
import { describeError, InvalidInput } from "../contract/errors.ts";
import type { CopySettings } from "../contract/types/contract.ts";

/** The part of a GetFunction response that describes the code. */
type Code = GetFunctionCommandOutput["Code"];

/** Lambda resources that have an ARN but cannot be called with Invoke. */
const otherResources: readonly (readonly [RegExp, string])[] = [
  [
    /:web-function[/:]/,
    "a function that Invoke calls: a Web Function answers HTTP on an endpoint of its own, several requests at a time, and writes no REPORT line",
  ],
  [
    /:(?:microvm|microvm-image)[/:]/,
    "a function that Invoke calls: a MicroVM is started and stopped by its owner, and no invocation is billed",
  ],
  [/:(?:layer|capacity-provider|event-source-mapping|code-signing-config)[/:]/, "a function"],
];

/**
 * Throws InvalidInput if the ARN names anything but a function that Invoke can call.
 * https://docs.aws.amazon.com/lambda/latest/lambda-web/API_GetWebFunction.html
 */
export function requireFunctionArn(arn: string): void {
  const other = otherResources.find(([pattern]) => arn.startsWith("arn:") && pattern.test(arn));
  if (other !== undefined) throw new InvalidInput("function", arn, other[1]);
}

/** A feature that rules out measuring a copy: how to detect it, its name, and the reason. */
type Refusal = readonly [
  has: (configuration: FunctionConfiguration) => boolean,
  what: string,
  why: string,
];

const refusals: readonly Refusal[] = [
  [
    // https://docs.aws.amazon.com/lambda/latest/dg/lambda-managed-instances.html
    ({ CapacityProviderConfig: config }) => config !== undefined,
    "Lambda Managed Instances",
    "its environments are kept running on instances of the account's, several calls at a time in each, so there is no cold start to measure",
  ],
  [
    // https://docs.aws.amazon.com/lambda/latest/dg/durable-functions.html
    ({ DurableConfig: config }) => config !== undefined,
    "a durable function",
    "one execution is several invocations with replays between them, and a call's duration is none of them",
  ],
  [
    // https://docs.aws.amazon.com/lambda/latest/dg/tenant-isolation.html
    ({ TenancyConfig: config }) => config !== undefined,
    "tenant isolation",
    "each tenant has environments of its own, and every call has to name one",
  ],
];

/** Throws InvalidInput if a copy of the function could not be measured faithfully. */
export function requireMeasurable(configuration: FunctionConfiguration): void {
  for (const [has, what, why] of refusals) {
    if (!has(configuration)) continue;
    const allowed = `a function without it: ${why}`;
    throw new InvalidInput(`${configuration.FunctionName}`, what, allowed);
  }
}

/** Returns the settings that the copy takes over, or undefined if all have Lambda's defaults. */
export function copiedSettings(configuration: FunctionConfiguration): CopySettings | undefined {
  const { VpcConfig, EphemeralStorage, TracingConfig } = configuration;
  const {
    SubnetIds = [],
    SecurityGroupIds = [],
    Ipv6AllowedForDualStack: dualStack,
  } = VpcConfig ?? {};
  const vpc = {
    subnetIds: SubnetIds,
    securityGroupIds: SecurityGroupIds,
    ...(dualStack === true && { ipv6AllowedForDualStack: true }),
  };
  const size = EphemeralStorage?.Size ?? 512;
  const fileSystems = listFileSystems(configuration);
  const image = imageSettings(configuration);
  const settings = {
    ...(SubnetIds.length > 0 && { vpc }),
    ...(fileSystems.length > 0 && { fileSystems }),
    ...(size !== 512 && { ephemeralStorageMb: size }),
    ...(TracingConfig?.Mode === "Active" && { xrayTracing: true }),
    ...defined({ image }),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

function listFileSystems({ FileSystemConfigs: configs = [] }: FunctionConfiguration) {
  return configs.map(({ Arn: arn = "", LocalMountPath: localMountPath = "", S3FilesConfig }) => {
    const directS3Read = S3FilesConfig?.DirectS3Read;
    return { arn, localMountPath, ...defined({ directS3Read }) };
  });
}

/** Throws InvalidInput if Lambda could not read the image's settings: the copy would start something else. */
function imageSettings({ ImageConfigResponse: response, FunctionName }: FunctionConfiguration) {
  if (response?.Error !== undefined) {
    const allowed = `settings that Lambda can read (${response.Error.Message})`;
    throw new InvalidInput(`${FunctionName}: image`, response.Error.ErrorCode, allowed);
  }
  const { EntryPoint = [], Command = [], WorkingDirectory = "" } = response?.ImageConfig ?? {};
  const image = {
    ...(EntryPoint.length > 0 && { entryPoint: EntryPoint }),
    ...(Command.length > 0 && { command: Command }),
    ...(WorkingDirectory !== "" && { workingDirectory: WorkingDirectory }),
  };
  return Object.keys(image).length === 0 ? undefined : image;
}

/** Whether the original has a feature, and what its copy lacks. */
type NotCopied = readonly [has: boolean, text: string];

function codeAndConcurrency(code: Code, reserved: number | undefined): readonly NotCopied[] {
  return [
    [
      code?.SourceKMSKeyArn !== undefined,
      "the KMS key of its zip: it is used when code is deployed, and changes no measured time",
    ],
    [
      code?.ResolvedS3Object !== undefined,
      "self-managed storage: a copy's code is in Lambda's storage, from which a cold start may fetch it in another time",
    ],
    [
      reserved !== undefined,
      `reserved concurrency (${reserved}): a copy uses the account's unreserved concurrency`,
    ],
  ];
}

/** Lists the features of the original that its copy lacks, each with its effect on the result. */
export function listNotCopied(
  configuration: FunctionConfiguration,
  code: Code,
  reserved: number | undefined,
): readonly string[] {
  const { SnapStart, LoggingConfig, KMSKeyArn, SigningProfileVersionArn, Environment } =
    configuration;
  const kept: readonly NotCopied[] = [
    ...codeAndConcurrency(code, reserved),
    [
      (SnapStart?.ApplyOn ?? "None") !== "None",
      "SnapStart: a copy initialises in each cold start, where a version of the original restores a snapshot",
    ],
    [
      LoggingConfig?.LogFormat === "JSON",
      "the JSON format of its logs: a copy logs as text, so what formatting and filtering by level cost is not in its times",
    ],
    [
      KMSKeyArn !== undefined,
      `its KMS key (${KMSKeyArn}): a copy's variables and code are encrypted by a key of AWS's, so a cold start does not wait for yours`,
    ],
    [
      SigningProfileVersionArn !== undefined,
      "code signing: signatures are checked when code is deployed, which changes no measured time",
    ],
    [
      Environment?.Error !== undefined,
      `its environment variables, which could not be read (${Environment?.Error?.Message}): a copy may do something else`,
    ],
  ];
  return kept.flatMap(([has, text]) => (has ? [text] : []));
}

/**
 * Same as listNotCopied, for what GetFunction does not answer. What the caller may not read is named as unknown.
 * A runtime is managed by version, not by alias.
 * https://docs.aws.amazon.com/lambda/latest/api/API_GetRuntimeManagementConfig.html
 */
export async function listNotCopiedElsewhere(
  client: Pick<LambdaClient, "send">,
  { FunctionArn: arn = "", Version, PackageType }: FunctionConfiguration,
): Promise<readonly string[]> {
  const [FunctionName = arn, Qualifier = "$LATEST"] = arn.split(/(?<=function:[^:]+):/);
  const runtime = async () => {
    const ofVersion = { FunctionName, ...(Version !== undefined && { Qualifier: Version }) };
    const command = new GetRuntimeManagementConfigCommand(ofVersion);
    const { UpdateRuntimeOn: mode = "Auto" } = await client.send(command);
    return mode !== "Auto" && `a copy has the newest one, where the original's mode is ${mode}`;
  };
  const provisioned = async () => {
    const config = await client.send(
      new GetProvisionedConcurrencyConfigCommand({ FunctionName, Qualifier }),
    );
    return `callers of the original's ${config.RequestedProvisionedConcurrentExecutions} environments wait for no Init`;
  };
  const weights = async () => {
    const command = new GetAliasCommand({ FunctionName, Name: Qualifier });
    const { FunctionVersion, RoutingConfig } = await client.send(command);
    const others = Object.keys(RoutingConfig?.AdditionalVersionWeights ?? {}).join(", ");
    return (
      others !== "" &&
      `a copy is of version ${FunctionVersion}, and the original also runs ${others}`
    );
  };
  const texts = [
    ...(PackageType === "Image" ? [] : [known("a pinned runtime version", runtime)]),
    ...(Qualifier === "$LATEST" ? [] : [known("provisioned concurrency", provisioned)]),
    ...(/^(\d+|\$LATEST)$/.test(Qualifier) ? [] : [known("a weighted alias", weights)]),
  ];
  return (await Promise.all(texts)).flatMap((text) => text || []);
}

async function known(what: string, effect: () => Promise<string | false>) {
  try {
    const text = await effect();
    return text && `${what}: ${text}`;
  } catch (error) {
    const { type, message } = describeError(error);
    return !/NotFound/.test(type) && `${what}, if it has any: not known (${message})`;
  }
}
