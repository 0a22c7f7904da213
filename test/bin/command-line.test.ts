import { execFile, spawn } from "node:child_process";
import { describe, expect, it, vi } from "vitest";
import { kelvinProgram } from "../../bin/program.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { capturedOutput } from "../support/captured-output.ts";

const output = capturedOutput();

/** What the process would end with; undefined when the words were understood. */
async function parsed(...words: readonly string[]): Promise<number | undefined> {
  let code: number | undefined;
  vi.spyOn(process, "exit").mockImplementation((ended) => {
    code = Number(ended);
    throw new Error("ended");
  });
  await kelvinProgram()
    .parseAsync(words, { from: "user" })
    .catch((error: Error) => {
      if (error.message !== "ended") throw error;
    });
  return code;
}

describe("the help", () => {
  it("teaches where to start, and how to call kelvin from the repository", async () => {
    expect(await parsed("--help")).toBe(0);
    const commands = "local plan deploy run destroy fetch import report export compare";
    for (const command of commands.split(" ")) {
      expect(output.stdout).toMatch(new RegExp(`^  ${command} `, "m"));
    }
    expect(output.stdout).toContain("npm run kelvin --");
  });

  it.each([
    [
      "local",
      "experiment memory variants cold warm preset seed cold-share invocations out resume json",
    ],
    ["plan", "experiment memory variants architectures region lanes prices json"],
    ["deploy", "functions stack"],
    ["run", "experiment memory cold warm max-cost attach stack out cold-share json"],
    ["destroy", "stack"],
    ["fetch", "bucket run out json"],
    ["import", "variant operation runtime architecture memory region from out prices json"],
    ["report", "cold-share invocations prices json"],
    ["export", "format out"],
    ["compare", "margin json"],
  ])("of %s teaches options, examples and exit codes", async (command, options) => {
    expect(await parsed(command, "--help")).toBe(0);
    for (const option of options.split(" ").filter((name) => name !== "")) {
      expect(output.stdout).toMatch(new RegExp(`^  --${option} `, "m"));
    }
    expect(output.stdout).toContain("\nExamples\n");
    expect(output.stdout).toContain("\nExit codes\n");
  });
});

it.each([
  [["nothing"], "unknown command 'nothing'"],
  [["plan", "--bogus"], "unknown option '--bogus'"],
  [["plan", "--memory"], "option '--memory <list>' argument missing"],
  [["plan", "too", "many"], "too many arguments"],
  [["report"], "missing required argument 'folder'"],
])("words that are not known are bad input, told in two lines: %j", async (words, message) => {
  expect(await parsed(...words)).toBe(2);
  expect(output.stderr).toContain(message);
  expect(output.stderr.trimEnd().split("\n")).toHaveLength(2);
  expect(output.stdout).toBe("");
});

it.each([
  ["local --preset slow", "argument 'slow' is invalid. Allowed choices are quick, standard."],
  ["report here --split memory", "argument 'memory' is invalid. Allowed choices are cpu."],
  [
    "export here --format xml",
    "argument 'xml' is invalid. Allowed choices are csv, jsonl, bencher.",
  ],
  [
    "import a.log --from xml",
    "'xml' is invalid. Allowed choices are report, events, insights, power-",
  ],
  ["local --resume here --until-precision 5%", "cannot be used with option '--until-precision"],
  ["local --resume here --max-samples 9", "cannot be used with option '--max-samples <n>'"],
  ["local --resume here --max-minutes 9", "cannot be used with option '--max-minutes <n>'"],
])(
  "a value that an option does not take is bad input where commander knows the choices: %s",
  async (words, message) => {
    expect(await parsed(...words.split(" "))).toBe(2);
    expect(output.stderr).toContain(message);
    expect(output.stdout).toBe("");
  },
);

describe("the process", () => {
  const kelvin = async (...words: readonly string[]) =>
    await new Promise((resolve) => {
      const command = ["--import", "tsx", "bin/kelvin.ts", ...words];
      const options = { cwd: projectPaths.root };
      execFile(process.execPath, command, options, (error, out, err) =>
        resolve({ code: error === null ? 0 : error.code, out, err }),
      );
    });

  it("prints what was asked for to stdout, and nothing else", async () => {
    const out = expect.stringMatching(/^\{"schemaVersion":2,.*\}\n$/);
    expect(await kelvin("plan", "--memory", "128", "--json")).toEqual({ code: 0, out, err: "" });
  });

  it.each([
    ["stdout", ["plan", "--memory", "128"], 0],
    ["stderr", ["plan", "--variants", "java"], 2],
  ] as const)(
    "ends as usual when the reader of its %s has had enough",
    async (name, words, code) => {
      const command = ["--import", "tsx", "bin/kelvin.ts", ...words];
      const child = spawn(process.execPath, command, { cwd: projectPaths.root });
      child[name].destroy();
      let text = "";
      child[name === "stdout" ? "stderr" : "stdout"].on("data", (chunk) => {
        text += chunk;
      });
      const ended = await new Promise((resolve) => child.on("close", resolve));
      expect({ code: ended, text }).toEqual({ code, text: "" });
    },
  );

  it("ends with 5, and never with a gate's 1, on an error that nothing catches", async () => {
    const thrown = `const timer = setInterval(() => {
      if (process.listenerCount("uncaughtException") === 0) return;
      clearInterval(timer);
      throw new Error("late");
    }, 1)`;
    const late = ["--import", `data:text/javascript,${encodeURIComponent(thrown)}`];
    const command = [...late, "--import", "tsx", "bin/kelvin.ts", "plan", "--memory", "128"];
    const options = { cwd: projectPaths.root };
    const ended = await new Promise((resolve) => {
      execFile(process.execPath, command, options, (error, _, err) =>
        resolve({ code: error?.code, err }),
      );
    });
    expect(ended).toEqual({ code: 5, err: "kelvin: late\n" });
  });

  it("prints an error to stderr without a stack, and ends with the code of bad input", async () => {
    const err = 'kelvin: dynamodb has no variant "java"; there are rust, rust-tuned, python\n';
    expect(await kelvin("plan", "--variants", "java")).toEqual({ code: 2, out: "", err });
  });
});
