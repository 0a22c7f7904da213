/** A mistake of the caller: the field, the value found, the values allowed, and the message that states them. */
export class InvalidInput extends Error {
  override readonly name = "InvalidInput";
  readonly field: string;
  readonly found: unknown;
  readonly allowed: string;

  /** @param message the message to print. Default: made from the other three. */
  constructor(field: string, found: unknown, allowed: string, message?: string) {
    super(message ?? `${field}: found ${formatFound(found)}; allowed: ${allowed}`);
    this.field = field;
    this.found = found;
    this.allowed = allowed;
  }
}

const longestFound = 200;

/** Returns the mistake with its location before the field; for a command-line option, with a sentence as message. */
export function inPlace(place: string, { field, found, allowed }: InvalidInput): InvalidInput {
  const isOption = place.startsWith("--");
  const text = isOption && typeof found === "string" ? found : formatFound(found);
  const shown = text.length > longestFound ? `${text.slice(0, longestFound)}...` : text;
  const message = isOption
    ? `${place} takes ${allowed}, not ${shown}`
    : `${place}: ${field}: found ${shown}; allowed: ${allowed}`;
  return new InvalidInput(`${place}: ${field}`, found, allowed, message);
}

/** Formats a value. JSON cannot represent NaN or Infinity. */
function formatFound(found: unknown): string {
  if (found === undefined) return "nothing";
  return typeof found === "number" ? String(found) : JSON.stringify(found);
}

/** Returns the type and message of anything thrown, to print or to record. */
export function describeError(error: unknown): { readonly type: string; readonly message: string } {
  if (error instanceof Error) return { type: error.name, message: error.message };
  return { type: "Error", message: String(error) };
}
