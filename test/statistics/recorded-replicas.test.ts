import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Unit } from "../../lib/statistics/series.ts";
import { checkReplicas } from "./support/replica-check.ts";
import { simulated } from "./support/simulated.ts";

interface Recorded {
  readonly series: Readonly<
    Record<string, { readonly original: readonly Unit[]; readonly replica: readonly Unit[] }>
  >;
}

const file = join(import.meta.dirname, "recorded", "replica-run.json");
const recorded: Recorded = JSON.parse(readFileSync(file, "utf8"));

describe("the A/A pair of a real standard run on one machine", () => {
  simulated.each(Object.keys(recorded.series))(
    "is rarely called faster or slower when its labels are dealt out anew: %s",
    (name) => {
      const { original = [], replica = [] } = recorded.series[name] ?? {};
      const check = checkReplicas(
        { units: original },
        { units: replica },
        { seed: 1, rounds: 400 },
      );
      expect(check.rounds).toBe(400);
      expect(check.falseShare).toBeLessThanOrEqual(0.05);
    },
  );
});
