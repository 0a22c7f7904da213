import { beforeEach, vi } from "vitest";

export interface CapturedOutput {
  stdout: string;
  stderr: string;
}

/** Captures output until the end of the test, instead of printing it. */
export function captureOutput(output: CapturedOutput = { stdout: "", stderr: "" }): CapturedOutput {
  for (const name of ["stdout", "stderr"] as const) {
    output[name] = "";
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      output[name] += text;
      return true;
    });
  }
  return output;
}

/** Captures the output of each test in a file, starting empty for each. */
export function capturedOutput(): CapturedOutput {
  const output = { stdout: "", stderr: "" };
  beforeEach(() => void captureOutput(output));
  return output;
}
