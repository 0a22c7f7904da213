import { describe, expect, it } from "vitest";
import { forecastText } from "../../bin/progress.ts";
import { experiments } from "../../lib/experiments/catalogue.ts";
import type { CargoBuild } from "../../lib/plan/experiment.ts";
import {
  type BuildSeconds,
  emulatedServiceBinary,
  forecastBuild,
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

const known: BuildSeconds = {
  machine: "the recorded one",
  calibrationMs: 100,
  first: { "standin-dynamodb": 540, rust: 900, tuned: 600 },
  next: { "standin-dynamodb": 300, rust: 540, noop: 27 },
};
const rust: CargoBuild = { binaryName: "rust", profile: "release" };
const tuned: CargoBuild = { binaryName: "tuned", profile: "tuned" };
const noop: CargoBuild = { binaryName: "noop", profile: "release" };
const builds = [emulatedServiceBinary("dynamodb"), rust, tuned, noop];
const options = { cores: 2, known, calibrationMs: 100, isBuilt: () => false };

describe("the forecast of a build", () => {
  it("counts what a profile's binaries share once, on the cores that there are", () => {
    const { binaries, minutes } = forecastBuild(builds, options);
    expect(binaries).toEqual(["standin-dynamodb", "rust", "tuned", "noop"]);
    expect(minutes).toBeCloseTo((540 + 540 + 600 + 27) / 60 / 1.8);
  });

  it("is of this machine's speed", () => {
    const slow = forecastBuild(builds, { ...options, calibrationMs: 250 }).minutes ?? 0;
    expect(slow / (forecastBuild(builds, options).minutes ?? 0)).toBeCloseTo(2.5);
  });

  it("leaves out what is built, and what others built for it", () => {
    const isBuilt = ({ binaryName }: CargoBuild) => binaryName === "standin-dynamodb";
    const { binaries, minutes } = forecastBuild([emulatedServiceBinary("dynamodb"), rust], {
      ...options,
      isBuilt,
    });
    expect(binaries).toEqual(["rust"]);
    expect(minutes).toBeCloseTo(540 / 60 / 1.8);
  });

  it("names no time where a binary was never timed", () => {
    const other: CargoBuild = { binaryName: "other", profile: "release" };
    expect(forecastBuild([rust, other], options).minutes).toBeUndefined();
    expect(forecastText({ binaries: ["rust", "other"] }, 2)).toBe(
      "builds first, once: rust, other",
    );
  });

  it("says nothing where all is built, and else minutes, rounded up", () => {
    expect(forecastText(forecastBuild(builds, { ...options, isBuilt: () => true }), 2)).toBe(
      undefined,
    );
    expect(forecastText({ binaries: ["rust"], minutes: 14.2 }, 2)).toBe(
      "builds first, once: rust (about 15 min on 2 cores)",
    );
  });
});
