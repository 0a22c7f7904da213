/** A call as IAM sees it. */
export interface IamRequest {
  /** For example s3:GetObject. */
  readonly action: string;
  /** ARN; `*` of an action that takes no resource. */
  readonly resource: string;
  /** The condition keys that the service provides with this call, and no others; of some, several values. */
  readonly context: Readonly<Record<string, OneOrMore<string>>>;
}

/** One action on one resource, as a statement of an identity-based policy allows or denies it. */
export interface Grant {
  readonly effect: "Allow" | "Deny";
  readonly action: string;
  readonly resource: string;
  readonly condition: Condition;
}

/** Values by key, by operator. */
export type Condition = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export interface Decision {
  readonly isAllowed: boolean;
  /** The grants that decided it; none where nothing allows it. */
  readonly by: readonly Grant[];
}

type OneOrMore<Value> = Value | readonly Value[];

/**
 * What a role's trust policy grants to a service: each statement is on the role itself.
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

/** The grants of a policy document. Throws at what the evaluator does not know: it would be passed over. */
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
 * What the policies of a role say to a call: an explicit Deny before any Allow, and no without either.
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
 * Each operator and each of its keys must match, one of a key's values must; a key that is not there
 * does not match, except for ForAllValues. The names of keys have no case.
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
 * A wildcard reaches to the end of its segment, and in the last one over colons too.
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

/** The resource's own part may have colons. */
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
