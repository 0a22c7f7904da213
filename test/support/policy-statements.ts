import type { Template } from "aws-cdk-lib/assertions";

type Json = Readonly<Record<string, unknown>>;
type ListOr<Value> = Value | readonly Value[];

interface Statement {
  readonly Effect: string;
  readonly Action: ListOr<string>;
  readonly Resource?: ListOr<unknown>;
  readonly Principal?: unknown;
  readonly Condition?: unknown;
}

/**
 * Returns every permission of the template, sorted, one `who: action on resource` each: from roles' policies,
 * policies in roles, managed policies and resource policies. Logical ids have no hashes.
 */
export function permissionsOf(template: Template): readonly string[] {
  const resources = Object.entries(template.toJSON().Resources as Record<string, Json>);
  const lines = resources.flatMap(([id, { Type, Properties }]) => {
    const properties = (Properties ?? {}) as Json;
    if (Type === "AWS::IAM::Role") return roleLines(id, properties);
    if (Type === "AWS::IAM::Policy") {
      const roles = properties.Roles as readonly unknown[];
      return roles.flatMap((role) => documentLines(textOf(role), properties.PolicyDocument));
    }
    if (properties.PolicyDocument === undefined) return [];
    return documentLines(String(Type), properties.PolicyDocument);
  });
  return [...new Set(lines)].sort();
}

function roleLines(id: string, properties: Json): readonly string[] {
  const inline = (properties.Policies ?? []) as readonly Json[];
  const managed = (properties.ManagedPolicyArns ?? []) as readonly unknown[];
  return [
    ...inline.flatMap((policy) => documentLines(withoutHash(id), policy.PolicyDocument)),
    ...managed.map((arn) => `${withoutHash(id)}: managed policy ${textOf(arn)}`),
  ];
}

function documentLines(who: string, document: unknown): readonly string[] {
  const { Statement } = document as { readonly Statement: readonly Statement[] };
  return Statement.flatMap(({ Effect, Action, Resource, Principal, Condition }) =>
    listOf(Action).flatMap((action) =>
      listOf(Resource).map((resource) => {
        const whom = Principal === undefined ? "" : ` by ${textOf(Principal)}`;
        const when = Condition === undefined ? "" : ` if ${JSON.stringify(Condition)}`;
        const effect = Effect === "Allow" ? "" : `${Effect} `;
        return `${who}: ${effect}${action} on ${textOf(resource)}${whom}${when}`;
      }),
    ),
  );
}

function listOf<Value>(value: ListOr<Value> | undefined): readonly Value[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]) as readonly Value[];
}

/** Returns CloudFormation's functions as text. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const { Ref, "Fn::GetAtt": attribute, "Fn::Join": join, AWS } = value as Json;
  const { "Fn::Select": select, "Fn::Split": split } = value as Json;
  if (typeof Ref === "string") return withoutHash(Ref);
  if (AWS !== undefined) return textOf(AWS);
  if (Array.isArray(attribute)) return `${withoutHash(String(attribute[0]))}.${attribute[1]}`;
  if (Array.isArray(join)) return (join[1] as readonly unknown[]).map(textOf).join(String(join[0]));
  if (Array.isArray(select)) return `${textOf(select[1])}[${select[0]}]`;
  if (Array.isArray(split)) return `${textOf(split[1])} split by ${split[0]}`;
  return JSON.stringify(value);
}

function withoutHash(id: string): string {
  return id.replace(/[0-9A-F]{8}$/, "");
}
