import { InvalidInput } from "../contract/errors.ts";
import type { MicroBenchmarks } from "../contract/types/contract.ts";
import { validated } from "../contract/validate.ts";
import type { ResultStore } from "./result-store.ts";

/** Beside a comparison's samples, and none of what its checksums hold: it may be measured again at any time. */
export const microPath = "micro.json";

/** The timed calls of the embedded engine; undefined where nobody timed them. Throws InvalidInput. */
export async function storedMicro(store: ResultStore): Promise<MicroBenchmarks | undefined> {
  const text = await store.readText(microPath);
  return text === undefined ? undefined : validated("micro", parsed(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInput(microPath, `${text.length} characters`, "JSON; these are none");
  }
}
