import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Unit } from "../../lib/statistics/series.ts";
import { checkTwins } from "../../lib/statistics/twin-check.ts";

interface Recorded {
  readonly series: Readonly<
    Record<string, { readonly original: readonly Unit[]; readonly twin: readonly Unit[] }>
  >;
}

const file = join(import.meta.dirname, "recorded", "twin-run.json");
const recorded: Recorded = JSON.parse(readFileSync(file, "utf8"));

describe("the A/A pair of a real standard run on one machine", () => {
  it.each(Object.keys(recorded.series))(
    "is rarely called faster or slower when its labels are dealt out anew: %s",
    (name) => {
      const { original = [], twin = [] } = recorded.series[name] ?? {};
      const check = checkTwins({ units: original }, { units: twin }, { seed: 1, rounds: 400 });
      expect(check.rounds).toBe(400);
      expect(check.falseShare).toBeLessThanOrEqual(0.05);
    },
  );
});
