/** A call in IAM's terms. */
export interface IamRequest {
  /** Action, for example s3:GetObject. */
  readonly action: string;
  /** ARN, or `*` for an action that takes no resource. */
  readonly resource: string;
  /** The condition keys that the service provides with this call, and no others; some have several values. */
  readonly context: Readonly<Record<string, OneOrMore<string>>>;
}

/** One action on one resource that a statement of an identity-based policy allows or denies. */
export interface Grant {
  readonly effect: "Allow" | "Deny";
  readonly action: string;
  readonly resource: string;
  readonly condition: Condition;
}

/** Values by operator and key. */
export type Condition = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

interface Decision {
  readonly isAllowed: boolean;
  /** The grants that decided; empty if nothing allows the call. */
  readonly by: readonly Grant[];
}

type OneOrMore<Value> = Value | readonly Value[];

/**
 * Returns what a role's trust policy grants to a service: each statement is about the role itself.
 * @param service for example lambda.amazonaws.com
 */
export function trustGrantsOf(document: unknown, service: string): readonly Grant[] {
  const { Statement } = document as { readonly Statement: OneOrMore<object> };
  const statements = listOf(Statement).flatMap((statement) => {
    const { Principal, ...rest } = statement as { readonly Principal: object };
    const { Service, ...others } = Principal as { readonly Service: OneOrMore<string> };
    const [strange] = Object.keys(others);
    if (strange !== undefined) throw new Error(`the evaluator knows no principal ${strange}`);
    return listOf(Service).includes(service) ? [{ ...rest, Resource: "*" }] : [];
  });
  return grantsOf({ Statement: statements });
}

/** Returns the grants of a policy document. Throws on unsupported elements instead of ignoring them. */
export function grantsOf(document: unknown): readonly Grant[] {
  const { Statement } = document as { readonly Statement: OneOrMore<object> };
  return listOf(Statement).flatMap((statement) => {
    const { Effect, Action, Resource, Condition = {}, Sid, ...unknown } = statement as Statement;
    const [strange] = Object.keys(unknown);
    if (strange !== undefined) throw new Error(`the evaluator knows no ${strange} of a statement`);
    const condition = conditionOf(Condition);
    return listOf(Action).flatMap((action) =>
      listOf(Resource).map((resource) => ({ effect: Effect, action, resource, condition })),
    );
  });
}

interface Statement {
  readonly Effect: Grant["effect"];
  readonly Action: OneOrMore<string>;
  readonly Resource: OneOrMore<string>;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, OneOrMore<string>>>>>;
  readonly Sid?: string;
}

function conditionOf(condition: NonNullable<Statement["Condition"]>): Condition {
  const operators = Object.entries(condition).map(([operator, keys]) => {
    if (!(operator in operatorMatches)) throw new Error(`the evaluator does not know ${operator}`);
    const values = Object.entries(keys).map(([key, value]) => [key.toLowerCase(), listOf(value)]);
    return [operator, Object.fromEntries(values)];
  });
  return Object.fromEntries(operators);
}

/**
 * Decides a call by a role's policies: an explicit Deny overrides any Allow, and without an Allow the call is denied.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function decide(grants: readonly Grant[], request: IamRequest): Decision {
  const matching = grants.filter((grant) => matches(grant, request));
  const denying = matching.filter(({ effect }) => effect === "Deny");
  if (denying.length > 0) return { isAllowed: false, by: denying };
  return { isAllowed: matching.length > 0, by: matching };
}

function matches({ action, resource, condition }: Grant, request: IamRequest): boolean {
  return (
    isLike(request.action.toLowerCase(), action.toLowerCase()) &&
    isArnLike(request.resource, resource) &&
    holds(condition, request.context)
  );
}

/**
 * Returns whether all operators and all of their keys match; a key matches if one of its values does. An absent key
 * does not match, except for ForAllValues. Key names are case-insensitive.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-logic-multiple-context-keys-or-values.html
 */
function holds(condition: Condition, context: IamRequest["context"]): boolean {
  const found = new Map(Object.entries(context).map(([key, value]) => [key.toLowerCase(), value]));
  return Object.entries(condition).every(([operator, keys]) =>
    Object.entries(keys).every(([key, values]) =>
      operatorMatches[operator]?.(found.get(key), values),
    ),
  );
}

type OperatorMatch = (found: OneOrMore<string> | undefined, wanted: readonly string[]) => boolean;

/**
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
 */
const operatorMatches: Readonly<Record<string, OperatorMatch>> = {
  StringEquals: (found, wanted) => typeof found === "string" && wanted.includes(found),
  StringLike: (found, wanted) =>
    typeof found === "string" && wanted.some((each) => isLike(found, each)),
  "ForAllValues:StringLike": (found = [], wanted) =>
    listOf(found).every((value) => wanted.some((each) => isLike(value, each))),
};

/**
 * Matches an ARN: a wildcard covers one segment only, except in the last one, which may contain colons.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html
 */
function isArnLike(arn: string, pattern: string): boolean {
  if (pattern === "*") return true;
  const wanted = segmentsOf(pattern);
  const found = segmentsOf(arn);
  return (
    found.length === wanted.length &&
    found.every((segment, index) => isLike(segment, wanted[index] as string))
  );
}

/** Splits an ARN into six segments; the last one may contain colons. */
function segmentsOf(arn: string): readonly string[] {
  const [, ...segments] = /^([^:]*):([^:]*):([^:]*):([^:]*):([^:]*):(.*)$/s.exec(arn) ?? ["", arn];
  return segments;
}

const patterns = new Map<string, RegExp>();

function isLike(text: string, pattern: string): boolean {
  let expression = patterns.get(pattern);
  if (expression === undefined) {
    const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
    const source = escaped.replaceAll("*", ".*").replaceAll("?", ".");
    expression = new RegExp(`^${source}$`, "s");
    patterns.set(pattern, expression);
  }
  return expression.test(text);
}

function listOf<Value>(value: OneOrMore<Value>): readonly Value[] {
  return (Array.isArray(value) ? value : [value]) as readonly Value[];
}
