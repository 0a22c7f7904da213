import { it } from "vitest";

/** simulated is `it` for a test that takes seconds, because it simulates hundreds of runs: no mutant waits for it. */
export const simulated = it.skipIf(process.env.KELVIN_MUTANTS_SEEN_BY !== undefined);
