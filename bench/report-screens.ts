import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { exitCodes } from "../bin/exit-codes.ts";
import { projectPaths } from "../lib/toolchain/project-paths.ts";
import { fiveKinds, reportOfKind } from "../test/report/support/report-kinds.ts";
import { openChromium } from "../test/support/chromium.ts";
import { firstScreenPicture, screens } from "./report-picture/answer-picture.ts";
import { runBench } from "./run-bench.ts";

const folder = join(projectPaths.root, "docs", "screens");

/** Draws the first screens of all kinds of report, of the made-up runs that tests use; needs a Chromium. */
async function draw(): Promise<number> {
  const pages = mkdtempSync(join(tmpdir(), "kelvin-screens-"));
  const browser = await openChromium();
  try {
    mkdirSync(folder, { recursive: true });
    for (const kind of fiveKinds) {
      const { html, printed } = await reportOfKind(kind, "quiet");
      const page = join(pages, `${kind}.html`);
      writeFileSync(page, html);
      writeFileSync(join(folder, `${kind}.txt`), `${printed}\n`);
      for (const [name, viewport] of Object.entries(screens)) {
        const picture = await firstScreenPicture(browser, page, viewport);
        writeFileSync(join(folder, `${kind}-${name}.webp`), picture);
      }
    }
  } finally {
    await browser.close();
    rmSync(pages, { recursive: true });
  }
  process.stdout.write(`${folder}\n`);
  return exitCodes.complete;
}

const command = new Command("screens").description(
  "draws docs/screens: the first screen of each kind of report, on a desk, on a phone and in a terminal",
);

await runBench(command, draw);
