import { basename, dirname, resolve } from "node:path";
import { replaceFile } from "../../lib/files/replace-file.ts";
import { printable } from "../progress.ts";

/**
 * Writes what `--markdown` asks for; true where that was to the standard output, which then has nothing
 * else.
 */
export async function writeComment(path: string, markdown: string): Promise<boolean> {
  if (path === "-") {
    process.stdout.write(printable(markdown));
    return true;
  }
  const whole = resolve(path);
  await replaceFile(dirname(whole), basename(whole), markdown);
  return false;
}
