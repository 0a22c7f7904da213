import { expect, it } from "vitest";
import { experiments } from "../../lib/experiments/catalogue.ts";
import { listCargoBuilds, noopBinary } from "../../lib/toolchain/build-local.ts";
import { measuredUnits } from "../support/measured-units.ts";

/** Profiles, variables, features and dependencies: a change of any of them changes what is measured. */
it("builds every measured binary from what measured-units.txt lists, and from nothing else", async () => {
  const variants = experiments.flatMap((experiment) => experiment.variants);
  const units = measuredUnits([...listCargoBuilds(variants), noopBinary]);
  await expect(units).toMatchFileSnapshot("measured-units.txt");
});
