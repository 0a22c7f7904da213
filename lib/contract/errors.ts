/** A mistake of the caller: the field, what was found there, what is allowed, and a sentence that says so. */
export class InvalidInput extends Error {
  override readonly name = "InvalidInput";
  readonly field: string;
  readonly found: string;
  readonly allowed: string;

  /** @param said The sentence to print; absent: one made of the other three. */
  constructor(field: string, found: unknown, allowed: string, said?: string) {
    const foundText = formatFound(found);
    super(said ?? `${field}: found ${foundText}; allowed: ${allowed}`);
    this.field = field;
    this.found = foundText;
    this.allowed = allowed;
  }
}

/** The same mistake, with the place where it was found before its field. */
export function inPlace(place: string, { field, found, allowed }: InvalidInput): InvalidInput {
  const shown = found.length > longestFound ? `${found.slice(0, longestFound)}...` : foundIn(found);
  return new InvalidInput(`${place}: ${field}`, shown, allowed);
}

const longestFound = 200;

/** The value whose text `formatFound` made. */
function foundIn(text: string): unknown {
  if (text === "nothing") return undefined;
  return /^-?(NaN|Infinity)$/.test(text) ? Number(text) : JSON.parse(text);
}

/** JSON has no word for what is no number or has no end. */
function formatFound(found: unknown): string {
  if (found === undefined) return "nothing";
  return typeof found === "number" ? String(found) : JSON.stringify(found);
}

/** What to print or to record of anything that was thrown. */
export function describeError(error: unknown): { readonly type: string; readonly message: string } {
  if (error instanceof Error) return { type: error.name, message: error.message };
  return { type: "Error", message: String(error) };
}
