import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { pageScript } from "../lib/report/render/page-script.ts";
import { styleSheet } from "../lib/report/render/page-style.ts";

// Part of `npm run generate`: lib/report is pure and computes no hash itself.

const hashOf = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

writeFileSync(
  new URL("../lib/report/render/page-hashes.ts", import.meta.url),
  `// Made by \`npm run generate\` from the page's style and script, for its policy. Do not edit.
export const styleHash = "${hashOf(styleSheet)}";
export const scriptHash = "${hashOf(pageScript)}";
`,
);
