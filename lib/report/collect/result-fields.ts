/** A field of a function's result, which is whatever the function returned; undefined without it. */
export function fieldOf(result: unknown, name: string): unknown {
  return typeof result === "object" && result !== null && Object.hasOwn(result, name)
    ? (result as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
