import packageJson from "../package.json" with { type: "json" };
import { listPlaceholders } from "./run/placeholders.ts";

// `npm publish` runs this first.

const placeholders = listPlaceholders(packageJson);
if (placeholders.length > 0) {
  process.stderr.write(`package.json still has a placeholder in: ${placeholders.join(", ")}\n`);
  process.exitCode = 1;
}
