import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { runCommandLine } from "../../bin/command-line.ts";

let printed: MockInstance<typeof console.log>;
beforeEach(() => {
  printed = vi.spyOn(console, "log").mockImplementation(() => {});
});

/** The lines that a shell reads, without the tab and the description after each. */
async function completions(...words: readonly string[]): Promise<readonly string[]> {
  await runCommandLine(["complete", "--", ...words]);
  return printed.mock.calls.flat().map((line) => String(line).split("\t")[0] ?? "");
}

describe("completion in a shell", () => {
  it.each(["bash", "zsh", "fish", "powershell"])(
    "has a script for %s, which asks kelvin itself",
    async (shell) => {
      await runCommandLine(["complete", shell]);
      expect(printed.mock.calls.flat().join("\n")).toMatch(/kelvin.* complete/);
    },
  );

  it("completes commands", async () => {
    expect(await completions("me")).toContain("measure");
  });

  it("completes a command's options", async () => {
    expect(await completions("measure", "--fail")).toContain("--fail-on");
  });

  it("completes the words that an option takes", async () => {
    expect(await completions("local", "--preset", "")).toEqual(
      expect.arrayContaining(["quick", "standard"]),
    );
  });
});
