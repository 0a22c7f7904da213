import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectPaths } from "../lib/toolchain/project-paths.ts";
import packageJson from "../package.json" with { type: "json" };
import { listPlaceholders, namesNoOwner, ownedPages } from "./run/placeholders.ts";

// `npm publish` runs this first.

const pages = ownedPages.filter((page) =>
  namesNoOwner(readFileSync(join(projectPaths.root, page), "utf8")),
);
const found = [...listPlaceholders(packageJson).map((field) => `package.json ${field}`), ...pages];
if (found.length > 0) {
  process.stderr.write(`still with a placeholder for the project's owner: ${found.join(", ")}\n`);
  process.exitCode = 1;
}
