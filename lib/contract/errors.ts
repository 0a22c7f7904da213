/** A mistake of the caller: the field, what was found there, and what is allowed. */
export class InvalidInput extends Error {
  override readonly name = "InvalidInput";
  readonly field: string;
  readonly found: string;
  readonly allowed: string;

  constructor(field: string, found: unknown, allowed: string) {
    const foundText = textOf(found);
    super(`${field}: found ${foundText}; allowed: ${allowed}`);
    this.field = field;
    this.found = foundText;
    this.allowed = allowed;
  }
}

/** JSON has no word for what is no number or has no end. */
function textOf(found: unknown): string {
  if (found === undefined) return "nothing";
  return typeof found === "number" ? String(found) : JSON.stringify(found);
}

/** What to print or to record of anything that was thrown. */
export function describeError(error: unknown): { readonly type: string; readonly message: string } {
  if (error instanceof Error) return { type: error.name, message: error.message };
  return { type: "Error", message: String(error) };
}
