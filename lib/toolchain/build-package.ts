import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { cdkTree, type PackageLock } from "./cdk-lock.ts";
import { cdkTreeFolder } from "./cdk-packages.ts";
import { writeDriverBundle } from "./driver-bundle.ts";
import { projectPaths } from "./project-paths.ts";
import { readPackedServices } from "./service-package.ts";
import { pinnedServicesPath } from "./service-programs.ts";

/**
 * `npm pack` runs this first. It writes the command line and the CDK apps with all their imports as JavaScript, so
 * that an installed `kelvin` needs only Node.js. It also writes the part of the lock file that the CDK is installed
 * from, the pins of the packed emulated services, and the deployed drivers. The output is two folders below the root,
 * like the sources, because the project's paths are computed from there. Each command stays a separate file, loaded
 * on demand.
 */
const dist = join(projectPaths.root, "dist");
const folder = join(dist, "bin");
rmSync(dist, { recursive: true, force: true });
await build({
  absWorkingDir: projectPaths.root,
  entryPoints: ["bin/kelvin.ts", "bin/app.ts", "bin/empty-app.ts"],
  // Not bundled: the CDK reads files of its own packages.
  external: ["aws-cdk-lib", "constructs"],
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  // Uses only the needed parts of a library: see package.json.
  conditions: ["kelvin-bundle", "module"],
  platform: "node",
  format: "esm",
  target: "node20.19",
  legalComments: "linked",
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
});

/** The repository runs it with tsx, an installed package with Node.js. */
const entry = join(folder, "kelvin.mjs");
const [, ...lines] = readFileSync(entry, "utf8").split("\n");
writeFileSync(entry, ["#!/usr/bin/env node", ...lines].join("\n"));

const lock: PackageLock = JSON.parse(
  readFileSync(join(projectPaths.root, "package-lock.json"), "utf8"),
);
const { packageJson, packageLock } = cdkTree(lock);
mkdirSync(cdkTreeFolder);
writeFileSync(join(cdkTreeFolder, "package.json"), JSON.stringify(packageJson));
writeFileSync(join(cdkTreeFolder, "package-lock.json"), JSON.stringify(packageLock));

writeFileSync(pinnedServicesPath, JSON.stringify(readPackedServices()));

const driver = join(dist, "driver");
mkdirSync(driver);
writeDriverBundle(driver);
