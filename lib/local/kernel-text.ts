import { readFileSync } from "node:fs";

/** Returns a file that the kernel writes; "" if it does not exist, or belongs to a process that has ended. */
export function kernelText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
