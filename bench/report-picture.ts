import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { exitCodes } from "../bin/exit-codes.ts";
import { InvalidInput } from "../lib/contract/errors.ts";
import { projectPaths } from "../lib/toolchain/project-paths.ts";
import { openChromium } from "../test/support/chromium.ts";
import { answerPicture } from "./report-picture/answer-picture.ts";
import { runBench } from "./run-bench.ts";

const picture = join(projectPaths.root, "docs", "report-answer.png");

/** Draws the README's picture of a run's report; needs a Chromium. */
async function draw(run: string): Promise<number> {
  const report = join(run, "report.html");
  if (!existsSync(report)) {
    throw new InvalidInput("run", run, "a folder with a report.html: npm run kelvin -- report");
  }
  const browser = await openChromium();
  try {
    writeFileSync(picture, await answerPicture(browser, report));
  } finally {
    await browser.close();
  }
  process.stdout.write(`${picture}\n`);
  return exitCodes.complete;
}

const command = new Command("picture")
  .description("makes the README's picture, docs/report-answer.png, of a run's report")
  .argument("<run>", "the run's folder, for example runs/<runId>");

await runBench(command, (_, [run = ""]) => draw(run));
