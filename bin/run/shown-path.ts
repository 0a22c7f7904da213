import { isAbsolute, relative, resolve, sep } from "node:path";

/** Returns a path as it is printed: from the working directory if it lies there, and otherwise whole. */
export function shownPath(path: string): string {
  const whole = resolve(path);
  const below = relative(process.cwd(), whole);
  const isElsewhere = below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below);
  return isElsewhere ? whole : below || ".";
}
