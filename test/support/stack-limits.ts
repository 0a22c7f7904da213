import type { Template } from "aws-cdk-lib/assertions";
import { type PhysicalNames, ResolvedTemplate } from "./resolved-template.ts";

/** What passes a limit: of what, how much of it was found, and how much is allowed. */
export interface PassedLimit {
  readonly what: string;
  readonly found: number;
  readonly allowed: number;
}

const iam = {
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html: white space does not count.
  managedPolicyCharacters: 6144,
  inlinePolicyCharactersOfRole: 10_240,
  trustPolicyCharacters: 2048,
  managedPoliciesOfRole: 10,
} as const;
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html: the template
// as an object in S3, where the CDK's command line puts it, and not in the request, which has 51,200 bytes.
const cloudFormation = {
  resources: 500,
  templateBytes: 1024 * 1024,
  parameterBytes: 4096,
  outputs: 200,
} as const;
/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const environmentBytes = 4096;
/** What the nonce of a forced cold adds to a function's environment, its name included. */
const nonceBytes = 128;
/** https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html */
const stepFunctions = { definitionBytes: 1024 * 1024, payloadBytes: 256 * 1024 } as const;

/** The name that bin/app.ts gives the stack. */
const stackName = "Kelvin";
/** The longest of each: a partition and a region that do not go together are no longer than any that do. */
const account = { partition: "aws-us-gov", region: "ap-northeast-1", id: "123456789012" } as const;

/** Characters that a name of the service may have. */
const longestNames: Readonly<Record<string, number>> = {
  "AWS::Lambda::Function": 64,
  "AWS::IAM::Role": 64,
  "AWS::IAM::ManagedPolicy": 128,
  "AWS::S3::Bucket": 63,
  "AWS::StepFunctions::StateMachine": 80,
  "AWS::DynamoDB::Table": 255,
  "AWS::Logs::LogGroup": 512,
};

/**
 * Names as long as CloudFormation makes them: stack, logical id and 12 or 13 characters of its own; for
 * what others are made of, the functions, as long as the service takes them.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-name.html
 */
export const longNames: PhysicalNames = {
  pseudoParameters: {
    "AWS::Partition": account.partition,
    "AWS::Region": account.region,
    "AWS::AccountId": account.id,
    "AWS::StackName": stackName,
    "AWS::StackId":
      `arn:${account.partition}:cloudformation:${account.region}:${account.id}:` +
      `stack/${stackName}/${"0".repeat(36)}`,
    "AWS::URLSuffix": "amazonaws.com.cn",
  },
  nameOf: ({ type, logicalId }) => {
    const longest = longestNames[type];
    if (longest === undefined) throw new Error(`how long the name of a ${type} is, is not known`);
    const generated = `${stackName}-${logicalId}-${"x".repeat(13)}`;
    return generated.padEnd(Math.min(longest, 64), "x").slice(0, longest);
  },
};

/** Every documented limit that the template would pass in an account, its names as long as they can be. */
export function passedLimits(template: Template): readonly PassedLimit[] {
  const resolved = new ResolvedTemplate(template, longNames);
  const all = [
    ...ofTemplate(template),
    ...ofPolicies(resolved),
    ...ofFunctions(resolved),
    ...ofStateMachine(resolved),
  ];
  return all.filter(({ found, allowed }) => found > allowed);
}

function ofTemplate(template: Template): readonly PassedLimit[] {
  const json = template.toJSON();
  const { resources, templateBytes, parameterBytes, outputs } = cloudFormation;
  const parameters = Object.entries((json.Parameters ?? {}) as Record<string, object>);
  return [
    { what: "resources", found: Object.keys(json.Resources).length, allowed: resources },
    { what: "outputs", found: Object.keys(json.Outputs ?? {}).length, allowed: outputs },
    // Indented as the CDK writes it.
    { what: "template bytes", found: bytesOf(json, 1), allowed: templateBytes },
    ...parameters.map(([name, parameter]) => {
      const { Default = "" } = parameter as { readonly Default?: string };
      return {
        what: `bytes of parameter ${name}`,
        found: bytesOf(Default),
        allowed: parameterBytes,
      };
    }),
  ];
}

function ofPolicies(resolved: ResolvedTemplate): readonly PassedLimit[] {
  const managed = resolved.ofType("AWS::IAM::ManagedPolicy");
  const inline = resolved.ofType("AWS::IAM::Policy");
  const ofRoles = resolved.ofType("AWS::IAM::Role").flatMap((role) => {
    const { Policies = [], ManagedPolicyArns = [], AssumeRolePolicyDocument } = role.properties;
    const name = resolved.nameOf(role);
    const isOfRole = ({ properties }: (typeof inline)[number]) =>
      (properties.Roles as readonly string[]).includes(name);
    const documents = [
      ...(Policies as readonly { readonly PolicyDocument: object }[]),
      ...inline.filter(isOfRole).map(({ properties }) => properties as { PolicyDocument: object }),
    ].map(({ PolicyDocument }) => bytesOf(PolicyDocument));
    return [
      {
        what: `inline policy characters of ${role.logicalId}`,
        found: documents.reduce((sum, size) => sum + size, 0),
        allowed: iam.inlinePolicyCharactersOfRole,
      },
      {
        what: `managed policies of ${role.logicalId}`,
        found: (ManagedPolicyArns as readonly string[]).length + managed.filter(isOfRole).length,
        allowed: iam.managedPoliciesOfRole,
      },
      {
        what: `trust policy characters of ${role.logicalId}`,
        found: bytesOf(AssumeRolePolicyDocument),
        allowed: iam.trustPolicyCharacters,
      },
    ];
  });
  const ofManaged = managed.map(({ logicalId, properties }) => ({
    what: `characters of managed policy ${logicalId}`,
    found: bytesOf(properties.PolicyDocument),
    allowed: iam.managedPolicyCharacters,
  }));
  return [...ofRoles, ...ofManaged];
}

function ofFunctions(resolved: ResolvedTemplate): readonly PassedLimit[] {
  return resolved.ofType("AWS::Lambda::Function").map(({ logicalId, properties }) => {
    const { Variables = {} } = (properties.Environment ?? {}) as { readonly Variables?: object };
    const found = bytesOf(Variables) + nonceBytes;
    return { what: `environment bytes of ${logicalId}`, found, allowed: environmentBytes };
  });
}

function ofStateMachine(resolved: ResolvedTemplate): readonly PassedLimit[] {
  return resolved.ofType("AWS::StepFunctions::StateMachine").flatMap(({ properties }) => {
    const definition = String(properties.DefinitionString);
    const { States } = JSON.parse(definition) as { readonly States: Record<string, object> };
    const payloads = Object.entries(States).map(([state, { Arguments = {} }]: [string, Task]) => ({
      what: `payload bytes of the state ${state}`,
      found: bytesOf(Arguments),
      allowed: stepFunctions.payloadBytes,
    }));
    const found = Buffer.byteLength(definition);
    return [
      { what: "definition bytes", found, allowed: stepFunctions.definitionBytes },
      ...payloads,
    ];
  });
}

interface Task {
  readonly Arguments?: unknown;
}

function bytesOf(value: unknown, indent?: number): number {
  return Buffer.byteLength(JSON.stringify(value, undefined, indent));
}
