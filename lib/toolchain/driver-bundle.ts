import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { driverMemoryMb } from "../plan/driver-size.ts";
import { projectPaths } from "./project-paths.ts";

/** The bundle's module, without its ending: it exports the handlers of lambdas/driver by their files' names. */
export const driverModule = "driver";

const handlers = Object.keys(driverMemoryMb);

/**
 * Writes every handler as one module, with the AWS SDK and a source map, into a folder that exists. The
 * same sources give the same bytes, wherever the folder is. Throws what esbuild says of sources that it
 * cannot bundle.
 */
export function writeDriverBundle(folder: string): void {
  // An installed package has the bundle and not esbuild, and imports this module as well.
  const { buildSync } = createRequire(import.meta.url)("esbuild") as typeof import("esbuild");
  const { outputFiles } = buildSync({
    absWorkingDir: projectPaths.root,
    stdin: {
      contents: handlers
        .map((name) => `export { handler as "${name}" } from "./${name}.ts";`)
        .join("\n"),
      resolveDir: projectPaths.driver,
      sourcefile: `${driverModule}.ts`,
    },
    // Nothing is written here: the source map's paths are relative to it.
    outfile: `dist/driver/${driverModule}.js`,
    write: false,
    bundle: true,
    // The parts of a library that are used, in place of the whole: see package.json.
    conditions: ["kelvin-bundle", "module"],
    platform: "node",
    format: "cjs",
    target: "node24",
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    logLevel: "warning",
  });
  for (const { path, contents } of outputFiles) {
    writeFileSync(join(folder, basename(path)), contents);
  }
}
