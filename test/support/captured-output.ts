import { vi } from "vitest";

/** What is printed from now on, in place of printing it; vi.restoreAllMocks ends it. */
export class CapturedOutput {
  stdout = "";
  stderr = "";

  constructor() {
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      this.stdout += text;
      return true;
    });
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      this.stderr += text;
      return true;
    });
  }
}
