import { createHash } from "node:crypto";
import { join, relative } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** Each mutant is drawn or not by itself, so that a mutant's own place and text determine it, and the seed. */
function isDrawn({ fileName, location: { start, end }, replacement }) {
  const { KELVIN_MUTANTS_SHARE: share = "1", KELVIN_MUTANTS_SEED: seed = "1" } = process.env;
  const places = [start.line, start.column, end.line, end.column];
  const name = [seed, relative(root, fileName), ...places, replacement].join(" ");
  return createHash("sha256").update(name).digest().readUInt32BE() < Number(share) * 2 ** 32;
}

/**
 * A checker of StrykerJS (stryker-mutator.io/docs/stryker-js/plugins) decides which mutants are worth a run of the
 * tests. Those that are not drawn count as not compiling, so that no score includes them.
 */
class Draw {
  async init() {}

  async check(mutants) {
    const isIn = (mutant) => (isDrawn(mutant) ? "passed" : "compileError");
    return Object.fromEntries(
      mutants.map((mutant) => [mutant.id, { status: isIn(mutant), reason: "not drawn" }]),
    );
  }

  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }
}

export const strykerPlugins = [{ kind: "Checker", name: "draw", injectableClass: Draw }];
