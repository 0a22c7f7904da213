import type { Template } from "aws-cdk-lib/assertions";
import { type PhysicalNames, ResolvedTemplate } from "../resolved-template.ts";
import { type Grant, grantsOf, trustGrantsOf } from "./policy-evaluator.ts";
import type { CalledAccount } from "./sdk-calls.ts";

const account = { id: "123456789012", region: "us-east-1" } as const;
/** Names that the fakes use for resources that the handlers know by name. */
const namesInTests: readonly (readonly [RegExp, string])[] = [
  [/^ResultsBucket/, "results"],
  [/^ConductorStateMachine/, "Kelvin"],
];

/** Names are the logical ids, as in the state machine that the tests run. */
const testNames: PhysicalNames = {
  pseudoParameters: {
    "AWS::Partition": "aws",
    "AWS::Region": account.region,
    "AWS::AccountId": account.id,
    "AWS::StackName": "Kelvin",
    "AWS::StackId": `arn:aws:cloudformation:${account.region}:${account.id}:stack/Kelvin/1`,
    "AWS::URLSuffix": "amazonaws.com",
  },
  nameOf: ({ logicalId }) =>
    namesInTests.find(([pattern]) => pattern.test(logicalId))?.[1] ?? logicalId,
};

/** A role with all grants of its policies. */
export interface DeployedRole {
  /** Logical id without its hash. */
  readonly name: string;
  readonly grants: readonly Grant[];
  /** Returns what the trust policy grants to a service: whether it may assume the role. */
  readonly trust: (service: string) => readonly Grant[];
}

/** The roles of a template as deployed, and the resources that they act on. */
export class DeployedRoles {
  readonly account: CalledAccount;
  /** Every role of the template, including those of CDK's own helpers. */
  readonly all: readonly DeployedRole[];
  readonly #logGroupOfFunction = new Map<string, string>();
  readonly #roleOfFunction = new Map<string, DeployedRole>();

  constructor(template: Template) {
    const resolved = new ResolvedTemplate(template, testNames);
    const roles = rolesOf(resolved);
    this.all = [...roles.values()];
    const tags = new Map<string, Readonly<Record<string, string>>>();
    for (const { logicalId, properties } of resolved.ofType("AWS::Lambda::Function")) {
      const role = roles.get(String(properties.Role));
      if (role !== undefined) this.#roleOfFunction.set(logicalId, role);
      const { LogGroup } = properties.LoggingConfig as { readonly LogGroup: string };
      this.#logGroupOfFunction.set(logicalId, LogGroup);
      tags.set(logicalId, tagsOf(properties.Tags));
    }
    this.account = { ...account, tagsOfFunction: (name) => tags.get(name) ?? {} };
  }

  /** Returns the role that a function runs with. */
  ofFunction(logicalId: string): DeployedRole {
    const role = this.#roleOfFunction.get(logicalId);
    if (role === undefined)
      throw new Error(`the template has no function ${logicalId} with a role`);
    return role;
  }

  /** Returns the roles of the functions that the state machine calls. */
  get ofDrivers(): readonly DeployedRole[] {
    const roles = [...this.#roleOfFunction.values()];
    return roles.filter(({ name }) => /^Driver\w+Role$/.test(name));
  }

  /** Returns the name of the log group that a function writes to. */
  logGroupOf(logicalId: string): string {
    const group = this.#logGroupOfFunction.get(logicalId);
    if (group === undefined) throw new Error(`the template has no function ${logicalId}`);
    return group;
  }
}

/** Returns the roles by ARN. */
function rolesOf(resolved: ResolvedTemplate): ReadonlyMap<string, DeployedRole> {
  const attached = ["AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"].flatMap((type) =>
    resolved.ofType(type).map(({ properties }) => properties as unknown as AttachedPolicy),
  );
  const roles = resolved.ofType("AWS::IAM::Role").map((role) => {
    const { Policies = [], AssumeRolePolicyDocument } =
      role.properties as unknown as RoleProperties;
    const ofRole = attached.filter(({ Roles }) => Roles.includes(resolved.nameOf(role)));
    const grants = [...Policies, ...ofRole].flatMap(({ PolicyDocument }) =>
      grantsOf(PolicyDocument),
    );
    const trust = (service: string) => trustGrantsOf(AssumeRolePolicyDocument, service);
    return [resolved.arnOf(role), { name: nameOf(role), grants, trust }] as const;
  });
  return new Map(roles);
}

/** Removes the hash; ids of CDK's own helpers have none. */
function nameOf({ logicalId }: { readonly logicalId: string }): string {
  return logicalId.replace(/[0-9A-F]{8}$/, "");
}

interface RoleProperties {
  readonly Policies?: readonly PolicyOfRole[];
  readonly AssumeRolePolicyDocument: object;
}

interface PolicyOfRole {
  readonly PolicyDocument: object;
}

interface AttachedPolicy extends PolicyOfRole {
  readonly Roles: readonly string[];
}

function tagsOf(tags: unknown): Readonly<Record<string, string>> {
  const list = (tags ?? []) as readonly { readonly Key: string; readonly Value: string }[];
  return Object.fromEntries(list.map(({ Key, Value }) => [Key, Value]));
}

const known = new WeakMap<Template, DeployedRoles>();

/** Cached: reads each template once. */
export function deployedRoles(template: Template): DeployedRoles {
  const roles = known.get(template) ?? new DeployedRoles(template);
  known.set(template, roles);
  return roles;
}
