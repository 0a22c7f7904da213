import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { findPython } from "../../../lib/toolchain/python.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Returns the search path of a machine with Python and without Rust. Throws if Rust is where the system's programs are. */
export function pathWithoutRust(): string {
  const system = ["/usr/bin", "/bin", "/usr/sbin"];
  const cargo = system.map((folder) => join(folder, "cargo")).filter(existsSync);
  if (cargo.length > 0) throw new Error(`Rust cannot be hidden: found ${cargo}`);
  const program = "import sys; print(sys.executable)";
  const python = execFileSync(findPython().command, ["-c", program], { encoding: "utf8" });
  const folder = temporaryFolder();
  symlinkSync(python.trim(), join(folder, "python3.13"));
  return [folder, ...system].join(":");
}
