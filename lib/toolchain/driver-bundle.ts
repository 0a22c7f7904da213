import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { driverMemoryMb } from "../plan/driver-size.ts";
import { projectPaths } from "./project-paths.ts";

/** Name of the bundle's module without extension. It exports each handler of lambdas/driver under its file's name. */
export const driverModule = "driver";

const handlers = Object.keys(driverMemoryMb);

/**
 * Bundles all handlers into one module, with the AWS SDK and a source map, in an existing folder. The output depends
 * only on the sources. Throws esbuild's error if it cannot bundle them.
 */
export function writeDriverBundle(folder: string): void {
  // Loaded lazily: an installed package imports this module but has the bundle instead of esbuild.
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
    // Not written: it only anchors the relative paths of the source map.
    outfile: `dist/driver/${driverModule}.js`,
    write: false,
    bundle: true,
    // Uses only the needed parts of a library: see package.json.
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
