import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { aptInstall } from "./apt-install.ts";

const commands = ["chromium", "chromium-browser", "google-chrome"];
/** Of Debian: the browser, and a font, without which words have no width. */
const packages = ["chromium", "fonts-dejavu-core"] as const;

/**
 * The path of a Chromium: CHROMIUM's, or the one on PATH. Installs it where that is possible, and
 * says what to install where it is not.
 */
export async function chromiumPath(): Promise<string> {
  const known = process.env.CHROMIUM ?? onPath();
  if (known !== undefined) return known;
  const failure = await aptInstall(packages);
  const installed = onPath();
  if (installed !== undefined) return installed;
  throw new Error(
    `reports in a browser: found no ${commands.join(" or ")} on PATH; install ` +
      `${packages.join(" and ")} (Debian) as root, or name one by CHROMIUM=/path: ${failure}`,
  );
}

/** A browser without a window. Its sandbox is not to be had as root, and all it opens is our own. */
export async function openChromium(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return await chromium.launch({ executablePath: await chromiumPath(), args });
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return commands.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}
