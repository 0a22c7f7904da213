import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { aptInstall } from "./apt-install.ts";

const commands = ["chromium", "chromium-browser", "google-chrome"];
/** Debian packages of the browser, and of a font: without one, text has no width. */
const packages = ["chromium", "fonts-dejavu-core"] as const;

/**
 * Returns the path of Chromium: CHROMIUM, or one on PATH. Installs it if possible. Throws with what to install if
 * not.
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

/** Opens a headless browser. As root it has no sandbox, but it only opens our own pages. */
export async function openChromium(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return await chromium.launch({ executablePath: await chromiumPath(), args });
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return commands.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}
