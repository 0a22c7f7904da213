/** A mistake of the caller: the field, the value found there, the values allowed, and a sentence that says so. */
export class InvalidInput extends Error {
  override readonly name = "InvalidInput";
  readonly field: string;
  readonly found: string;
  readonly allowed: string;

  /** @param said The sentence to print; if absent, one made from the other three. */
  constructor(field: string, found: unknown, allowed: string, said?: string) {
    const foundText = formatFound(found);
    super(said ?? `${field}: found ${foundText}; allowed: ${allowed}`);
    this.field = field;
    this.found = foundText;
    this.allowed = allowed;
  }
}

/** The same mistake, with its location before its field; if an option of the command line is the place, a sentence. */
export function inPlace(place: string, { field, found, allowed }: InvalidInput): InvalidInput {
  const shown = found.length > longestFound ? `${found.slice(0, longestFound)}...` : foundIn(found);
  const said = place.startsWith("--") ? `${place} takes ${allowed}, not ${shown}` : undefined;
  return new InvalidInput(`${place}: ${field}`, shown, allowed, said);
}

const longestFound = 200;

/** The value whose text `formatFound` produced. */
function foundIn(text: string): unknown {
  if (text === "nothing") return undefined;
  return /^-?(NaN|Infinity)$/.test(text) ? Number(text) : JSON.parse(text);
}

/** Formats a value: JSON cannot represent NaN or Infinity. */
function formatFound(found: unknown): string {
  if (found === undefined) return "nothing";
  return typeof found === "number" ? String(found) : JSON.stringify(found);
}

/** The type and message to print or record for anything thrown. */
export function describeError(error: unknown): { readonly type: string; readonly message: string } {
  if (error instanceof Error) return { type: error.name, message: error.message };
  return { type: "Error", message: String(error) };
}
