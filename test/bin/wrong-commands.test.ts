import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommandLine } from "../../bin/command-line.ts";
import { captureOutput } from "../support/captured-output.ts";
import { makeZip } from "../support/make-zip.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: string;
let before: string;
beforeAll(() => {
  folder = temporaryFolder();
  before = process.cwd();
  process.chdir(folder);
  const content = "def handler(event, context):\n    return event\n";
  writeFileSync("py.zip", makeZip([{ name: "app.py", content }]));
  writeFileSync("text.json", "not JSON");
  writeFileSync("text.zip", makeZip([{ name: "notes.txt", content: "no code" }]));
  const two = ["a.py", "b.py"].map((name) => ({ name, content }));
  writeFileSync("two.zip", makeZip(two));
  mkdirSync("empty");
});
afterAll(() => process.chdir(before));

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
      '--margin is a percentage between 0% and 100%, such as 5%; found "5"',
    ],
    ["measure py.zip --env LEVEL", "--env takes NAME=value, not LEVEL"],
    [
      "measure py.zip --bucket up",
      "--bucket takes a bucket's name of at least 3 characters, not up",
    ],
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
    ["report nope", "no such folder: nope"],
    ["exprt nope", "there is no command exprt; did you mean kelvin export nope?"],
    ["export .", "no run in .: it has no plan.json"],
    ["fetch bucket", "for the latest run: did you mean s3://bucket?"],
    ["fetch s3://bucket --run newest", "allowed: either an address or --bucket and --run"],
    ["help nothing", "there is no command nothing; kelvin --help lists the commands"],
    ["measure empty", "empty has no files in it"],
    ["measure py.zip --handler app", "--handler takes FILE.FUNCTION, such as app.handler, not app"],
    [
      "measure two.zip",
      "two.zip has more than one handler (python3.13 a.handler, python3.13 b.handler): name one",
    ],
    ["measure text.zip", "text.zip shows no runtime and handler: name them, for example --runtime"],
    [
      "measure py.zip --runtime python2.7",
      "--runtime takes provided.al2023, provided.al2, python3.N or nodejsN.x",
    ],
    ["measure py.zip --python python9", "--python: python9 does not run here, or is no Python"],
    ["measure py.zip --expect-status ok", "--expect-status takes a status such as 200, not ok"],
    ["measure py.zip --expect get=1", "--expect get=...: there is no event get, only invoke"],
    [
      "measure py.zip --service sqs",
      "--service takes dynamodb, s3 or both: there is no emulated sqs",
    ],
    ["measure py.zip --table nope.json", "--table: no such file: nope.json"],
    ["measure py.zip --layer nope.zip", "layer: no such file: nope.zip"],
    ["measure py.zip --event sqs", "--event sqs: give its body, as sqs:body.json"],
    [
      "measure py.zip --event kinesis:x.json",
      "--event: no such file: kinesis:x.json; and no events of kinesis, only of ",
    ],
    [
      "measure py.zip --limit cold.p95<800",
      "--limit takes a limit such as 'cold.p95 < 800 ms' or 'memory < 128 MB', not 'cold.p95<800'",
    ],
    [
      "measure py.zip --yes",
      "--yes goes with the ARN of a deployed function: kelvin measure ARN --yes",
    ],
    ["measure --functions nope.json", "no such file: nope.json"],
    ["measure --functions text.json", "text.json is not JSON"],
    ["measure --resume nope", "no such folder: nope"],
    ["local --resume nope", "no such folder: nope"],
    ["local --memory 64", "--memory: 64 MB is below Lambda's minimum of 128 MB"],
    [
      "measure arn:aws:s3:::bucket",
      "arn:aws:s3:::bucket is not the ARN of a function: arn:aws:lambda:",
    ],
    ["report text.json", "text.json is a file, not the folder of a run"],
    ["fetch", "nothing to fetch: kelvin fetch s3://BUCKET/runs/<runId>, or --bucket NAME"],
    ["import", "nothing to import: kelvin import name.log, or --log-group /aws/lambda/NAME"],
    ["import nope.log", "no such file: nope.log"],
    ["import text.json", "text.json has no report of an invocation: lines or records read: 1"],
    ["import --log-group /aws/lambda/x --since yesterday", "--since takes 30m, 12h, 7d or 2w ago"],
    [
      "plan --region mars-1",
      "no prices of the region mars-1; kelvin prices --region mars-1 writes them",
    ],
    ["plan --architectures mips", "there is no architecture mips; there are arm64 and x86_64"],
    ["adopt name --out text.json", "text.json exists already; --out FILE names another place"],
    ["local --cold 0", "--cold takes a whole number from 1 to 1000, not 0"],
    ["plan --memory 128,many", '--memory takes sizes in MB, such as 128,512; found "many"'],
    ["plan --lanes many", "--lanes takes a whole number from 0, not many"],
    ["local --seed 4294967296", "--seed takes a whole number from 0 to 4294967295, not 4294967296"],
    [
      "plan --until-precision 5",
      '--until-precision is a percentage between 0% and 100%, such as 5%; found "5"',
    ],
    ["plan --max-samples some", "--max-samples takes a whole number from 0, not some"],
    ["plan --max-minutes 1h", "--max-minutes takes a number, not 1h"],
    ["import a.log --memory x", "--memory takes a whole number from 0, not x"],
    [
      "report here --cold-share 2",
      '--cold-share is a percentage between 0% and 100%, such as 2%; found "2"',
    ],
    ["report here --invocations 0", "--invocations takes a whole number from 1, not 0"],
    ["report here --invocations 1e6", "--invocations takes a whole number from 1, not 1e6"],
    [
      "compare a b --margin much",
      '--margin is a percentage between 0% and 100%, such as 5%; found "much"',
    ],
    ["destroy --stack= --force", "--stack takes letters, digits and hyphens, a letter first, not"],
    ["destroy --stack 1st --force", "--stack takes letters, digits and hyphens, a letter first"],
    ["destroy --stack Here -c stack=There --force", 'stack: found ["Here","There"]; allowed: one'],
    ["deploy --stack Here --context=stack=There", 'stack: found ["Here","There"]; allowed: one'],
    ["deploy -c stack=Here -c=stack=There", 'stack: found ["Here","There"]; allowed: one name, by'],
    ["run --stack Here -c stack=There", 'stack: found ["Here","There"]; allowed: one name, by'],
    ["run -c memory=128", 'context: found "memory=128"; allowed: stack=VALUE; kelvin deploy takes'],
  ])("%s", async (words, sentence) => {
    const output = captureOutput();
    await expect(runCommandLine(words.split(" "))).rejects.toMatchObject({
      name: "InvalidInput",
      field: expect.any(String),
      allowed: expect.any(String),
      message: expect.stringContaining(sentence),
    });
    expect(output.stdout).toBe("");
  });

  it("without a command, says three ways to start", async () => {
    const output = captureOutput();
    await runCommandLine([]);
    expect(output.stdout.match(/^ {2}kelvin /gm)).toHaveLength(3);
  });
});
