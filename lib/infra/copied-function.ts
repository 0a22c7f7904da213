import { Repository } from "aws-cdk-lib/aws-ecr";
import {
  type IManagedPolicy,
  ManagedPolicy,
  PolicyStatement,
  type Role,
} from "aws-cdk-lib/aws-iam";
import {
  type CfnFunction,
  Code,
  type FunctionOptions,
  Handler,
  Function as LambdaFunction,
  LayerVersion,
  Runtime,
} from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { defined } from "../contract/defined.ts";
import type { Cell, CopySettings, FileSystem, VpcSettings } from "../contract/types/contract.ts";
import type { ArtefactSource, ContainerImage } from "../plan/experiment.ts";

interface CopiedFunctionProps {
  readonly cell: Cell;
  readonly source: ArtefactSource;
  /** Options common to all measured functions. */
  readonly options: FunctionOptions;
}

/** Creates a copy of a user's function with the original's settings. */
export function copiedFunction(
  scope: Construct,
  { cell, source, options }: CopiedFunctionProps,
): LambdaFunction {
  const { copySettings } = source;
  const { folder, zip, image } = source.byArchitecture?.[cell.architecture] ?? source;
  const code =
    image === undefined
      ? {
          runtime: new Runtime(cell.runtime),
          handler: source.handler,
          code: Code.fromAsset(zip ?? folder),
          layers: listLayers(scope, cell, source),
        }
      : {
          runtime: Runtime.FROM_IMAGE,
          handler: Handler.FROM_IMAGE,
          code: imageCode(scope, cell.id, { image, settings: copySettings }),
        };
  const copy = new LambdaFunction(scope, cell.id, { ...options, ...code });
  if (copySettings !== undefined) applyCopySettings(copy, copySettings);
  return copy;
}

function listLayers(scope: Construct, { id }: Cell, { layerVersions = [] }: ArtefactSource) {
  return layerVersions.map((arn, index) =>
    LayerVersion.fromLayerVersionArn(scope, `${id}-Layer-${index}`, arn),
  );
}

/** Applies the original's AWS settings to the copy. */
function applyCopySettings(copy: LambdaFunction, settings: CopySettings): void {
  const { vpc, fileSystems, ephemeralStorageMb, xrayTracing } = settings;
  const resource = copy.node.defaultChild as CfnFunction;
  if (vpc !== undefined) resource.vpcConfig = vpcProperty(vpc);
  if (fileSystems !== undefined) resource.fileSystemConfigs = fileSystems.map(fileSystemProperty);
  if (ephemeralStorageMb !== undefined) resource.ephemeralStorage = { size: ephemeralStorageMb };
  if (xrayTracing === true) resource.tracingConfig = { mode: "Active" };
}

function vpcProperty(vpc: VpcSettings): CfnFunction.VpcConfigProperty {
  const { subnetIds, securityGroupIds, ipv6AllowedForDualStack } = vpc;
  return {
    subnetIds: [...subnetIds],
    securityGroupIds: [...securityGroupIds],
    ...defined({ ipv6AllowedForDualStack }),
  };
}

function fileSystemProperty(fileSystem: FileSystem): CfnFunction.FileSystemConfigProperty {
  const { directS3Read, ...mount } = fileSystem;
  return { ...mount, ...(directS3Read !== undefined && { s3FilesConfig: { directS3Read } }) };
}

/**
 * Returns the policies that a role of the stack needs for a function in a VPC.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html#configuration-vpc-permissions
 */
export function vpcPolicies({ vpc }: CopySettings = {}): readonly IManagedPolicy[] {
  if (vpc === undefined) return [];
  const name = "service-role/AWSLambdaVPCAccessExecutionRole";
  return [ManagedPolicy.fromAwsManagedPolicyName(name)];
}

/**
 * Allows a role of the stack to send traces. These actions cannot be limited to a resource.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-xray.html#services-xray-permissions
 */
export function grantTracing(role: Role, { xrayTracing }: CopySettings = {}): void {
  if (xrayTracing !== true) return;
  const actions = ["xray:PutTraceSegments", "xray:PutTelemetryRecords"];
  role.addToPolicy(new PolicyStatement({ actions, resources: ["*"] }));
}

/** Refers to the original's image by digest. Nothing is built or pushed, and the repository is not changed. */
function imageCode(
  scope: Construct,
  id: string,
  {
    image,
    settings = {},
  }: { readonly image: ContainerImage; readonly settings?: CopySettings | undefined },
): Code {
  const { repositoryArn, repositoryName, digest } = image;
  const repository = Repository.fromRepositoryAttributes(scope, `${id}-Repository`, {
    repositoryArn,
    repositoryName,
  });
  const { entryPoint, command, workingDirectory } = settings.image ?? {};
  return Code.fromEcrImage(repository, {
    tagOrDigest: digest,
    ...(entryPoint !== undefined && { entrypoint: [...entryPoint] }),
    ...(command !== undefined && { cmd: [...command] }),
    ...defined({ workingDirectory }),
  });
}
