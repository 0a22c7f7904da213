import type { MicroBenchmarks } from "../contract/types/contract.ts";
import { validated } from "../contract/validate.ts";
import type { ResultStore } from "./result-store.ts";

/** Beside a comparison's samples, and none of what its checksums hold: it may be measured again at any time. */
export const microPath = "micro.json";

/** The timed calls of the embedded engine; undefined where nobody timed them. Throws InvalidInput. */
export async function storedMicro(store: ResultStore): Promise<MicroBenchmarks | undefined> {
  const text = await store.readText(microPath);
  return text === undefined ? undefined : validated("micro", JSON.parse(text));
}
