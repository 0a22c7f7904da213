import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";

const width = 1280;
/** Margin above and below. */
const marginPx = 16;

interface Box {
  readonly y: number;
  readonly height: number;
}

/** Returns a report's answer and its first chart as a PNG 1280 px wide. */
export async function answerPicture(browser: Browser, reportFile: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: "light" });
  try {
    await page.goto(pathToFileURL(reportFile).href);
    const answer = (await page.locator(".first-screen").boundingBox()) as Box;
    const top = answer.y - marginPx;
    const height = answer.height + 2 * marginPx;
    return await page.screenshot({ clip: { x: 0, y: top, width, height }, fullPage: true });
  } finally {
    await page.close();
  }
}
