import { afterEach, expect, it, vi } from "vitest";
import { doctor } from "../../bin/commands/doctor.ts";
import { kelvinProgram } from "../../bin/program.ts";
import type { Examined } from "../../bin/run/examine-machine.ts";
import { captureOutput } from "../support/captured-output.ts";

afterEach(() => {
  process.exitCode = undefined;
});

const node: Examined = { name: "Node", found: "22.1.0", neededFor: "Kelvin", isRequired: true };
const rust: Examined = {
  name: "Rust",
  neededFor: "the Rust functions",
  isRequired: true,
  remedy: "install rustup",
};

/** Returns what the command prints about a machine, with its exit code. */
function printedFor(...examined: readonly Examined[]) {
  const output = captureOutput();
  const code = doctor({}, examined);
  return { code, text: output.stdout.trimEnd() };
}

it("says what there is, what is missing, and how to get it", () => {
  const java = { ...rust, name: "Java, Maven", neededFor: "DynamoDB Local", isRequired: false };
  expect(printedFor(node, rust, java).text.split("\n")).toEqual([
    "ok       Node         22.1.0",
    "MISSING  Rust         for the Rust functions",
    "                      install rustup",
    "lacks    Java, Maven  for DynamoDB Local",
    "                      install rustup",
    "",
    "Until Rust is installed, npm run bench measures Python alone.",
  ]);
  const python = { ...rust, name: "Python" };
  expect(printedFor(node, python, rust)).toEqual({
    code: 5,
    text: expect.stringMatching(/cannot begin without: Python, Rust\.$/),
  });
  expect(printedFor(node, java)).toEqual({
    code: 0,
    text: expect.stringMatching(/npm run bench can begin\.$/),
  });
});

it("finds on this machine what it runs on, and nothing where PATH has nothing", async () => {
  const output = captureOutput();
  await kelvinProgram().parseAsync(["doctor", "--json"], { from: "user" });
  expect(process.exitCode).toBe(0);
  const here = JSON.parse(output.stdout) as Examined[];
  expect(here.find(({ name }) => name === "Node")?.found).toBe(process.versions.node);
  output.stdout = "";
  vi.stubEnv("PATH", "/nonexistent");
  vi.stubEnv("PYENV_ROOT", "/nonexistent");
  expect(doctor({})).toBe(5);
  expect(output.stdout).toMatch(/^MISSING {2}Rust /m);
  expect(output.stdout).toMatch(/^MISSING {2}Python /m);
  expect(output.stdout).toMatch(/^lacks {4}Java, Maven /m);
});
