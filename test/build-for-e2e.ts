import { experimentById, experiments } from "../lib/experiments/catalogue.ts";
import type { CargoBuild } from "../lib/plan/experiment.ts";
import {
  buildRustBinaries,
  dynoxideBinary,
  emulatedServiceBinary,
  listCargoBuilds,
  noopBinary,
} from "../lib/toolchain/build-local.ts";
import { localTarget, type RustTarget } from "../lib/toolchain/rust-build.ts";
import { httpDriverBinary } from "../studies/emulators/engines/engine-kinds.ts";

// What the end-to-end tests would build themselves, where one waits for what another builds.

/** Each would compile the SDK once more, and no test runs them. */
const leftOut = ["no-jitter", "ring"];

const variants = experiments
  .flatMap((experiment) => experiment.variants)
  .filter(({ id }) => !leftOut.includes(id));
const here = [
  ...listCargoBuilds(variants),
  noopBinary,
  emulatedServiceBinary("dynamodb"),
  emulatedServiceBinary("s3"),
  httpDriverBinary,
  dynoxideBinary,
];
/** The one that test/e2e/artefacts.test.ts takes. */
const onArm64 = listCargoBuilds(
  experimentById("dynamodb").variants.filter(({ id }) => id === "rust-tuned"),
);

await Promise.all(["release", "tuned", "floor"].map(buildProfile));

/** A profile has a folder that one command at a time has to itself; another's goes on beside it. */
async function buildProfile(profile: string): Promise<void> {
  const ofProfile = (builds: readonly CargoBuild[]) =>
    builds.filter((build) => build.profile === profile);
  await build(ofProfile(here), localTarget);
  if (localTarget !== "arm64") await build(ofProfile(onArm64), "arm64");
}

async function build(builds: readonly CargoBuild[], target: RustTarget): Promise<void> {
  await buildRustBinaries(builds, target, {
    onStep: ({ label, state }) => {
      if (state === "done") process.stdout.write(`${label}, ${target}\n`);
    },
  });
}
