import { expect, it } from "vitest";
import { experiments } from "../../lib/experiments/catalogue.ts";
import {
  emulatedServiceBinary,
  listCargoBuilds,
  noopBinary,
} from "../../lib/toolchain/build-local.ts";

it("the builds of the catalogue undo none of each other's: those that share a profile's folder share their variables", () => {
  const variants = experiments.flatMap((experiment) => experiment.variants);
  const builds = [
    ...listCargoBuilds(variants),
    noopBinary,
    emulatedServiceBinary("dynamodb"),
    emulatedServiceBinary("s3"),
  ];
  const variablesOf = new Map(builds.map(({ profile, environment }) => [profile, environment]));
  for (const { profile, environment } of builds) {
    expect(environment, profile).toEqual(variablesOf.get(profile));
  }
});
