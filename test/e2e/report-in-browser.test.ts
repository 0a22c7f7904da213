import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerPicture } from "../../bench/report-picture/answer-picture.ts";
import { sampleReport } from "../../bench/sample-report/sample-report.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import type { TwoRuns } from "../../lib/report/two-runs-document.ts";
import { openChromium } from "../support/chromium.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { questions } from "./support/first-screen-answers.ts";
import { reportPages } from "./support/report-pages.ts";
import { sizeQuestions } from "./support/sizes-answers.ts";
import { buildQuestions } from "./support/two-builds-answers.ts";

const faultsOf = readFileSync(new URL("./support/page-faults.js", import.meta.url), "utf8");
const folder = temporaryFolder();
const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(async () => {
  await browser?.close();
});

/** The rules that the page breaks as it is shown now, and where. */
async function violations(page: Page, options: axe.RunOptions = {}): Promise<readonly string[]> {
  const run = `axe.run(${JSON.stringify({ resultTypes: ["violations"], ...options })})`;
  const found = await page.evaluate<axe.AxeResults>(run);
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
  );
}

const sample = readFileSync(join(sampleReport, "report.html"), "utf8");
const madeUp = await reportPages();
const pages = [...madeUp, { name: "sample-report", html: sample, isMoreOfTheSame: true }];

/** Between light, dark and paper nothing differs but colours. */
const colours: axe.RunOptions = { runOnly: ["color-contrast"] };

describe.each(pages)("the report $name in a browser", ({ name, html, isMoreOfTheSame }) => {
  /** What the browser itself has to say of the page, and what the page asks of others. */
  const said: string[] = [];
  const file = join(folder, `${name}.html`);
  let page: Page;
  beforeAll(async () => {
    writeFileSync(file, html);
    page = await browser.newPage({ viewport: desk, colorScheme: "light" });
    page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => said.push(error.message));
    page.on("request", (request) => said.push(`asked for ${request.url()}`));
    await page.goto(pathToFileURL(file).href);
  });
  afterAll(() => page?.close());

  it("is under 1 MB", () => {
    expect(Buffer.byteLength(html)).toBeLessThan(1_000_000);
  });

  it("has a picture of each kind", async () => {
    const ids = await page.evaluate<readonly string[]>(
      "[...document.querySelectorAll('figure')].map(({ id }) => id)",
    );
    const kinds: Readonly<Record<string, readonly string[]>> = {
      emulators: ["engines-start", "engines-steps"],
      "two-builds": [],
      sizes: ["sizes", "cold", "warm", "distribution", "cost"],
    };
    for (const kind of kinds[name] ?? ["cold", "ratio", "warm", "distribution", "cost"]) {
      expect(ids.join(" ")).toMatch(new RegExp(`\\bchart-${kind}\\b`));
    }
  });

  it.each([desk, phone])("at $width px has every chart, whole and legible", async (viewport) => {
    await page.setViewportSize(viewport);
    expect(await page.evaluate(faultsOf)).toEqual([]);
  });

  it.skipIf(isMoreOfTheSame)("has nothing that axe objects to", async () => {
    await page.evaluate(axe.source);
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await violations(page, colours)).toEqual([]);
  });

  it.skipIf(isMoreOfTheSame)("prints dark on white from a dark screen", async () => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const paper = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(paper).toBe("rgb(255, 255, 255)");
    expect(await violations(page, colours)).toEqual([]);
    await page.emulateMedia({ media: "screen" });
  });

  it("asks nothing of anyone, and breaks no rule of its own policy", () => {
    expect(said).toEqual([`asked for ${pathToFileURL(file).href}`]);
  });
});

it("makes the README's picture of a report: a PNG of 1280 px and under 300 kB", async () => {
  const file = join(folder, "picture.html");
  writeFileSync(file, pages[0]?.html ?? "");
  const png = await answerPicture(browser, file);
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect(png.readUInt32BE(16)).toBe(1280);
  expect(png.length).toBeLessThan(300_000);
});

/** The text of all that a reader sees without scrolling. */
const textInView = `[...document.querySelectorAll(".first-screen p, .first-screen li, .first-screen tr, .first-screen text")]
  .filter((element) => element.getBoundingClientRect().bottom <= innerHeight)
  .map((element) => element.textContent).join("\\n").replaceAll("\\u00a0", " ")`;

/** The first screen's table, if all of it is seen without scrolling. */
const tableInView = `[...document.querySelectorAll(".first-screen table")]
  .filter((element) => innerHeight >= element.getBoundingClientRect().bottom)
  .flatMap((element) => [...element.rows].map((row) => [...row.cells].map((cell) => cell.textContent.replaceAll("\\u00a0", " "))))`;

const asked = [
  ["a made-up report", madeUp[0]?.html ?? "", madeUp[0]?.summary ?? ""],
  ["docs/sample-report", sample, readFileSync(join(sampleReport, "summary.json"), "utf8")],
] as const;
const screens = [
  ["a desk", desk],
  ["a phone", phone],
] as const;

describe.each(
  asked.flatMap(([name, html, summary]) =>
    screens.map(([screen, viewport]) => ({ name, html, summary, screen, viewport })),
  ),
)("the first screen of $name on $screen", ({ html, summary, viewport }) => {
  const view = JSON.parse(summary) as Summary;
  let page: Page;
  beforeAll(async () => {
    page = await browser.newPage({ viewport });
    await page.setContent(html);
  });
  afterAll(() => page?.close());

  it.each(questions)("answers, as its figures have it: %s", async (_question, check) => {
    const text = await page.evaluate<string>(textInView);
    check({ text, table: await page.evaluate<readonly string[][]>(tableInView) }, view);
  });

  it("has its chart, or on a phone the beginning of it, in view", async () => {
    const box = await page.locator("#chart-cold svg[role=img]").first().boundingBox();
    expect((box?.y ?? 9999) + (box?.height ?? 0) / 4).toBeLessThanOrEqual(viewport.height);
  });

  it("answers of one size in its chart, once that is picked: which answers first at 512 MB?", async () => {
    await page.check('.picker input[value="2"]');
    const panel = page.locator("#chart-cold .panel:visible");
    expect(await panel.count()).toBe(1);
    expect(await panel.locator("p").textContent()).toMatch(/^512\sMB$/);
    const words = await panel.locator("text").allTextContents();
    expect(words.slice(0, 3)).toEqual([
      "Rust (default build)",
      "Rust (tuned build)",
      "Python (boto3)",
    ]);
    const [untuned = 0, tuned = 0, python = 0] = words
      .slice(3)
      .map((text) => Number.parseFloat(text));
    expect(tuned > 0 && tuned < untuned && untuned < python).toBe(true);
    for (const text of words.slice(3)) expect(text).toMatch(/^[\d.]+ \[[\d.]+, [\d.]+\]$/);
    await page.check('.picker input[value="0"]');
  });

  it("shows its chart whole from side to side", async () => {
    const box = await page.locator("#chart-cold svg[role=img]").first().boundingBox();
    expect(box?.x ?? -1).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 9999)).toBeLessThanOrEqual(viewport.width);
  });

  it("leads from a number to its row with one click, though that is folded", async () => {
    const link = page.locator('.first-screen a[href^="#size-costs-row-"]').first();
    const row = page.locator((await link.getAttribute("href")) as string);
    expect(await row.isVisible()).toBe(false);
    await link.click();
    expect(await row.isVisible()).toBe(true);
  });
});

/** Opens the made-up report with this name, and returns what a reader sees of it, and its figures. */
function seenPage(name: string, viewport: typeof desk) {
  const report = madeUp.find((each) => each.name === name);
  let page: Page;
  beforeAll(async () => {
    page = await browser.newPage({ viewport });
    await page.setContent(report?.html ?? "");
  });
  afterAll(() => page?.close());
  return async () => ({
    text: await page.evaluate<string>(textInView),
    table: await page.evaluate<readonly string[][]>(tableInView),
    summary: JSON.parse(report?.summary ?? "") as unknown,
  });
}

describe.each(screens)("the first screen of two builds on %s", (_screen, viewport) => {
  const seen = seenPage("two-builds", viewport);

  it.each(buildQuestions)("answers, as its figures have it: %s", async (_question, check) => {
    const { summary, ...screen } = await seen();
    check(screen, summary as TwoRuns);
  });
});

describe.each(screens)("the first screen of one function's sizes on %s", (_screen, viewport) => {
  const seen = seenPage("sizes", viewport);

  it.each(sizeQuestions)("answers, as its figures have it: %s", async (_question, check) => {
    const { summary, ...screen } = await seen();
    check(screen, summary as Summary);
  });
});

/** The heads of every table that has verdicts, and how many of its columns name the rows. */
const verdictHeads = `[...document.querySelectorAll("table")]
  .filter((table) => table.querySelector("tbody tr"))
  .map((table) => {
    const rows = [...table.tBodies[0].rows].map((row) => [...row.cells]);
    const isVerdict = (text) => /\\b(faster|slower|the same|undecided)\\b(?! within|:| \\(too few\\):)/.test(text);
    return {
      id: table.id,
      names: rows[0].filter((cell) => cell.tagName === "TH").length,
      verdicts: rows[0].flatMap((_, column) => table.tHead.rows[0].cells[column].className === "verdict" || rows.some((row) => isVerdict(row[column].textContent) && row[column].textContent.length < 60) ? [column] : []),
    };
  })
  .filter(({ verdicts }) => verdicts.length > 0)`;

describe.each(madeUp)("the report $name on a phone", ({ html }) => {
  it("has the verdicts of every table right behind the names of its rows", async () => {
    const page = await browser.newPage({ viewport: phone });
    await page.setContent(html);
    const tables =
      await page.evaluate<readonly { id: string; names: number; verdicts: readonly number[] }[]>(
        verdictHeads,
      );
    await page.close();
    for (const { id, names, verdicts } of tables) {
      const columns = verdicts.filter((column) => column >= names);
      expect(columns, id).toEqual(columns.map((_, index) => names + index));
    }
  });
});

describe("a report in the hands of its reader", () => {
  let page: Page;
  beforeAll(async () => {
    page = await browser.newPage({ viewport: desk });
    await page.setContent(pages[0]?.html ?? "");
  });
  afterAll(() => page?.close());

  it("begins, for the keyboard, with a way past the contents", async () => {
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the report");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("report");
  });

  const rowsOf = (id: string) =>
    page.evaluate<readonly string[][]>(
      `[...document.querySelectorAll("#${id} tbody tr")].filter((row) => !row.hidden).map((row) => [...row.cells].map((cell) => cell.textContent))`,
    );

  it("sorts a table by a column with the keyboard, either way, and brings its order back", async () => {
    const before = await rowsOf("glance-cold");
    const button = page.locator("#glance-cold thead button").nth(4);
    const head = page.locator("#glance-cold thead th").nth(4);
    await button.focus();
    await page.keyboard.press("Enter");
    expect(await head.getAttribute("aria-sort")).toBe("ascending");
    const figures = before.map((row) => Number(row[4]));
    expect((await rowsOf("glance-cold")).map((row) => Number(row[4]))).toEqual(
      figures.toSorted((a, b) => a - b),
    );
    await page.keyboard.press("Space");
    expect(await head.getAttribute("aria-sort")).toBe("descending");
    expect((await rowsOf("glance-cold")).map((row) => Number(row[4]))).toEqual(
      figures.toSorted((a, b) => b - a),
    );
    await page.keyboard.press("Enter");
    expect(await head.getAttribute("aria-sort")).toBeNull();
    expect(await rowsOf("glance-cold")).toEqual(before);
  });

  it("filters every table by size and variant, and prints all rows nevertheless", async () => {
    const all = await rowsOf("warm-duration");
    const heads = await page.evaluate<readonly string[]>(
      "[...document.querySelectorAll('#warm-duration thead th')].map((cell) => cell.textContent)",
    );
    const [size, variant] = [heads.indexOf("Memory MB"), heads.indexOf("Variant")];
    await page.locator(".filters select").first().selectOption("512");
    await page.locator(".filters select").last().selectOption("Python (boto3)");
    const wanted = all.filter((row) => row[size] === "512" && row[variant] === "Python (boto3)");
    expect(wanted.length).toBeGreaterThan(0);
    expect(await rowsOf("warm-duration")).toEqual(wanted);
    await page.emulateMedia({ media: "print" });
    const shown = `[...document.querySelectorAll("#warm-duration tbody tr")].filter((row) => getComputedStyle(row).display !== "none").length`;
    expect(await page.evaluate<number>(shown)).toBe(all.length);
    await page.emulateMedia({ media: "screen" });
    expect(await page.evaluate<number>(shown)).toBe(wanted.length);
    await page.locator(".filters select").first().selectOption("");
    await page.locator(".filters select").last().selectOption("");
    expect(await rowsOf("warm-duration")).toEqual(all);
  });

  it("has its verdicts first on a phone, right behind the names of the rows", async () => {
    const phonePage = await browser.newPage({ viewport: phone });
    await phonePage.setContent(pages[0]?.html ?? "");
    const [desks, phones] = await Promise.all(
      [page, phonePage].map((each) =>
        each.evaluate<readonly string[]>(
          "[...document.querySelectorAll('#glance-cold thead th')].map((cell) => cell.textContent)",
        ),
      ),
    );
    await phonePage.close();
    expect(desks?.slice(-2)).toEqual(["rust-tuned: ratio", "python: ratio"]);
    expect(phones?.slice(0, 4)).toEqual([
      ...(desks?.slice(0, 2) ?? []),
      ...(desks?.slice(-2) ?? []),
    ]);
  });

  it("has tables that a spreadsheet takes as they are: a tab between cells, a line a row", async () => {
    const shown = await page.evaluate<readonly string[][]>(
      "[...document.querySelectorAll('#glance-warm tr')].map((row) => [...row.cells].map((cell) => cell.innerText))",
    );
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('#glance-warm'))");
    await page.keyboard.press("Control+C");
    const sheet = await browser.newPage();
    await sheet.setContent("<textarea autofocus></textarea>");
    await sheet.focus("textarea");
    await sheet.keyboard.press("Control+V");
    const pasted = await sheet.inputValue("textarea");
    await sheet.close();
    const rows = pasted.split("\n").filter((line) => line.includes("\t"));
    expect(rows.map((line) => line.split("\t").map((cell) => cell.trim()))).toEqual(shown);
    expect(shown).toHaveLength(13);
  });
});
