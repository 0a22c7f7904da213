import { buildRustBinaries } from "./build-local.ts";
import { localTarget, type RustTarget } from "./rust-build.ts";
import { packedServicesFolder, packServices, serviceBuilds } from "./service-package.ts";

// `npm run build:services`: builds the emulated services and packs them for npm, one package per platform. The next
// `npm pack` pins the packages in the folder. A Linux machine builds for both Linux architectures.

const targets: readonly RustTarget[] =
  localTarget === "this machine" ? [localTarget] : ["x86_64", "arm64"];
for (const target of targets) {
  await buildRustBinaries(serviceBuilds, target, {
    onStep: ({ label, state }) => {
      if (state === "done") process.stdout.write(`${label}, ${target}\n`);
    },
  });
  const { package: name, version } = await packServices(target, packedServicesFolder);
  process.stdout.write(`${name} ${version}\n`);
}
