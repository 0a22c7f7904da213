import {
  closeInheritedDescriptors,
  commandEnvironment,
} from "../../../lib/toolchain/command-environment.ts";
import { runCommand } from "../../../lib/toolchain/run-command.ts";

// Prints the paths of the descriptors that a child has, before the caller's are closed and after.

const links = "for fd in /proc/self/fd/*; do readlink $fd; done; true";
for (const closes of [false, true]) {
  if (closes) closeInheritedDescriptors();
  const found: string[] = [];
  const options = { env: commandEnvironment("tool"), onLine: (line: string) => found.push(line) };
  await runCommand("sh", ["-c", links], options);
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
