import { beforeEach, vi } from "vitest";

export interface CapturedOutput {
  stdout: string;
  stderr: string;
}

/** Captures what is printed from now to the end of the test, in place of printing it. */
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

/** Captures what each test of a file prints, and forgets what the one before it printed. */
export function capturedOutput(): CapturedOutput {
  const output = { stdout: "", stderr: "" };
  beforeEach(() => void captureOutput(output));
  return output;
}
