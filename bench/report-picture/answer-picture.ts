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

/** The windows in which reports are looked at. */
export const screens = {
  desk: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
} as const;

/** All that a reader sees of a report without scrolling, as a WebP of that window: half the size of a PNG. */
export async function firstScreenPicture(
  browser: Browser,
  reportFile: string,
  viewport: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  const page = await browser.newPage({ viewport, colorScheme: "light" });
  try {
    await page.goto(pathToFileURL(reportFile).href);
    const session = await page.context().newCDPSession(page);
    const picture = { format: "webp", quality: 80 } as const;
    const { data } = await session.send("Page.captureScreenshot", picture);
    return Buffer.from(data, "base64");
  } finally {
    await page.close();
  }
}
