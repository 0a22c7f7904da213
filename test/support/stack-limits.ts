import type { Template } from "aws-cdk-lib/assertions";
import { type PhysicalNames, ResolvedTemplate } from "./resolved-template.ts";

/** A limit that is exceeded: what it applies to, the value found, and the value allowed. */
export interface PassedLimit {
  readonly what: string;
  readonly found: number;
  readonly allowed: number;
}

const iam = {
  // White space does not count: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
  managedPolicyCharacters: 6144,
  inlinePolicyCharactersOfRole: 10_240,
  trustPolicyCharacters: 2048,
  managedPoliciesOfRole: 10,
} as const;
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html: the limit for a template in S3, where the CDK CLI puts it. A template in the request may have 51,200 bytes.
const cloudFormation = {
  resources: 500,
  templateBytes: 1024 * 1024,
  parameterBytes: 4096,
  outputs: 200,
} as const;
/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const environmentBytes = 4096;
/** Bytes that the nonce of a forced cold start adds to a function's environment, including its name. */
const nonceBytes = 128;
/** https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html */
const stepFunctions = { definitionBytes: 1024 * 1024, payloadBytes: 256 * 1024 } as const;

/** The stack's name in bin/app.ts. */
const stackName = "Kelvin";
/** The longest of each. They do not exist together, but no existing combination is longer. */
const account = { partition: "aws-us-gov", region: "ap-northeast-1", id: "123456789012" } as const;

/** Longest name that each service accepts, in characters. */
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
 * Names as long as CloudFormation makes them (stack, logical id, and 12 or 13 characters), padded to the service's
 * limit or 64 characters.
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

/** Returns every documented limit that the template would exceed with names of the greatest length. */
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
    // The CDK writes the template with this indentation.
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
