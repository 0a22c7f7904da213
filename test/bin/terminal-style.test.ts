import { describe, expect, it } from "vitest";
import { styledScreen } from "../../bin/terminal-style.ts";

const screen = [
  "A title\nWARNING: This machine was busy.",
  "The later run takes 1.5 times as long.\nA second line.",
  "series  ratio\na  1.50  slower\nb  0.50  faster\npython/rust  1.50× (0.80×)\npython  1.4–7.5× slower (3/4)  20% faster",
  "How sure: the slower one is slower",
].join("\n\n");
const terminal = { isTTY: true };

describe("the first screen on a terminal", () => {
  it("has its answer in bold, line by line, and its warnings and verdicts in colour", () => {
    expect(styledScreen(screen, terminal, {}).split("\n\n")).toEqual([
      "\u001b[1mA title\u001b[0m\n\u001b[33mWARNING:\u001b[0m This machine was busy.",
      "\u001b[1mThe later run takes 1.5 times as long.\u001b[0m\n\u001b[1mA second line.\u001b[0m",
      [
        "series  ratio",
        "a  1.50  \u001b[31mslower\u001b[0m",
        "b  0.50  \u001b[32mfaster\u001b[0m",
        "python/rust  \u001b[31m1.50×\u001b[0m (\u001b[32m0.80×\u001b[0m)",
        "python  \u001b[31m1.4–7.5× slower\u001b[0m (3/4)  \u001b[32m20% faster\u001b[0m",
      ].join("\n"),
      "How sure: the slower one is slower",
    ]);
  });

  it.each([
    ["a pipe", { isTTY: undefined }, {}],
    ["NO_COLOR", terminal, { NO_COLOR: "1" }],
    ["a dumb terminal", terminal, { TERM: "dumb" }],
  ])("is plain text for %s", (_name, stream, environment) => {
    expect(styledScreen(screen, stream, environment)).toBe(screen);
  });

  it("has colours with an empty NO_COLOR, which counts as not set", () => {
    expect(styledScreen(screen, terminal, { NO_COLOR: "" })).not.toBe(screen);
  });
});
