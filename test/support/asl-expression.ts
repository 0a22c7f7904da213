import jsonata from "jsonata";

/** Scope of an expression: `$states` and the workflow's variables. */
export interface AslScope {
  readonly states: object;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** States.QueryEvaluationError: an expression failed or returned nothing. */
export class QueryEvaluationError extends Error {
  override readonly name = "States.QueryEvaluationError";
}

/**
 * Returns a value of the definition with every `{% ... %}` in it evaluated.
 * https://docs.aws.amazon.com/step-functions/latest/dg/transforming-data.html
 */
export async function evaluated(value: unknown, scope: AslScope): Promise<unknown> {
  if (typeof value === "string") return await evaluatedText(value, scope);
  if (Array.isArray(value)) return await Promise.all(value.map((each) => evaluated(each, scope)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([key, each]) => [
    key,
    await evaluated(each, scope),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

/** Compiled expressions: a state's expressions are evaluated each time the state is entered. */
const known = new Map<string, jsonata.Expression>();

function compiled(source: string): jsonata.Expression {
  const expression = jsonata(source);
  // Step Functions has $parse instead of $eval.
  expression.registerFunction("parse", (json: string) => JSON.parse(json));
  known.set(source, expression);
  return expression;
}

async function evaluatedText(text: string, { states, variables }: AslScope): Promise<unknown> {
  const source = /^\{%(.*)%\}$/.exec(text)?.[1];
  if (source === undefined) return text;
  const expression = known.get(source) ?? compiled(source);
  try {
    const value = await expression.evaluate(undefined, { states, ...variables });
    if (value !== undefined) return JSON.parse(JSON.stringify(value));
  } catch (error) {
    throw new QueryEvaluationError(`${source}: ${(error as Error).message}`);
  }
  throw new QueryEvaluationError(`${source}: gave nothing`);
}
