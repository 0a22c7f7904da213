import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { runCommandLine } from "../../bin/command-line.ts";
import { CapturedOutput } from "../support/captured-output.ts";
import { makeZip } from "../support/make-zip.ts";

let folder: string;
let before: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kelvin-wrong-commands-"));
  before = process.cwd();
  process.chdir(folder);
  const content = "def handler(event, context):\n    return event\n";
  writeFileSync("py.zip", makeZip([{ name: "app.py", content }]));
  writeFileSync("text.json", "not JSON");
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});
afterEach(() => vi.restoreAllMocks());

describe("a wrong command is answered in a sentence, and nothing is measured", () => {
  it.each([
    ["py.zip", "there is no command py.zip; did you mean kelvin measure py.zip?"],
    [
      "py.zip --memory 256",
      "there is no command py.zip; did you mean kelvin measure py.zip --memory 256?",
    ],
    ["bench", "there is no command bench; did you mean kelvin local?"],
    ["mesure py.zip", "there is no command mesure; did you mean kelvin measure py.zip?"],
    ["diff a b", "there is no command diff; did you mean kelvin compare a b?"],
    ["teleport", "there is no command teleport; kelvin --help lists the commands"],
    ["measure", "nothing to measure: kelvin measure function.zip, or --functions functions.json"],
    ["measure nope.zip", "no such file: nope.zip"],
    ["measure text.json", "text.json is not a zip, or only the beginning of one"],
    ["measure py.zip --memory 256;1024", "--memory: sizes take commas: 256,1024"],
    ["measure py.zip --memory 64", "--memory: 64 MB is below Lambda's minimum of 128 MB"],
    ["measure py.zip --memory 20GB", '--memory takes sizes in MB, such as 128,512; found "20GB"'],
    ["measure py.zip --memory 20000MB", "--memory: 20000 MB is above Lambda's maximum of 10240 MB"],
    ["measure py.zip --memory big", '--memory takes sizes in MB, such as 128,512; found "big"'],
    ["local --memory auto", "--memory auto works in kelvin measure alone; name sizes here"],
    ["measure py.zip --cold 0", "--cold takes a whole number from 1 to 1000, not 0"],
    ["measure py.zip --cold many", "--cold takes a whole number from 1 to 1000, not many"],
    ["measure py.zip --timeout 901", "--timeout takes a whole number from 1 to 900, not 901"],
    [
      "measure py.zip --margin 5",
      'margin is a percentage between 0% and 100%, such as 5%; found "5"',
    ],
    ["measure py.zip --env LEVEL", "--env takes NAME=value, not LEVEL"],
    ["measure py.zip --event nope.json", "--event: no such file: nope.json"],
    ["measure py.zip --event text.json", "--event: text.json is not JSON"],
    [
      "measure py.zip --handler nope.handler",
      "py.zip has no nope.py for the handler nope.handler: py.zip contains app.py",
    ],
    [
      "measure py.zip --network fast",
      "--network takes milliseconds, such as 1.5, or 15,3 for a delay and its jitter",
    ],
    ["local --experiment nope", 'there is no experiment "nope"; there are dynamodb, '],
    ["local --variants go", 'dynamodb has no variant "go"; there are rust, rust-tuned, python'],
    ["local --max-minutes soon", "--max-minutes takes a number, not soon"],
    ["report nope", "no such folder: nope"],
    [
      "calibrate",
      "nothing to calibrate with: kelvin calibrate takes the folder of a run on Lambda",
    ],
    ["calibrate nope", "no such folder: nope"],
    ["calibrate nope --forget", "kelvin calibrate takes one of these: "],
    ["calibrate --show --forget", "kelvin calibrate takes one of these: "],
    ["calibrate --show --local here", "--local goes with the folder of a run on Lambda"],
    ["calibrat nope", "there is no command calibrat; did you mean kelvin calibrate nope?"],
    ["export .", "no run in .: it has no plan.json"],
    ["fetch bucket", "for the latest run: did you mean s3://bucket?"],
  ])("%s", async (words, sentence) => {
    const output = new CapturedOutput();
    await expect(runCommandLine(words.split(" "))).rejects.toMatchObject({
      name: "InvalidInput",
      field: expect.any(String),
      allowed: expect.any(String),
      message: expect.stringContaining(sentence),
    });
    expect(output.stdout).toBe("");
  });

  it("without a command, says three ways to start", async () => {
    const output = new CapturedOutput();
    await runCommandLine([]);
    expect(output.stdout.match(/^ {2}kelvin /gm)).toHaveLength(3);
  });
});
