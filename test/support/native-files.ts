import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Architecture } from "../../lib/plan/experiment.ts";

/** e_machine of the ELF header: https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html */
const machines: Readonly<Record<Architecture, number>> = { arm64: 0xb7, x86_64: 0x3e };
const wheelPlatforms: Readonly<Record<Architecture, string>> = {
  arm64: "aarch64",
  x86_64: "x86_64",
};

/**
 * Returns the files in a function's folder that Lambda cannot load on the architecture: ELF files of another machine,
 * and wheels whose tags all name other platforms.
 * https://packaging.python.org/en/latest/specifications/platform-compatibility-tags/
 */
export function foreignFiles(folder: string, architecture: Architecture): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return files.filter(
    (file) =>
      (machineOf(file) ?? machines[architecture]) !== machines[architecture] ||
      (file.endsWith(".dist-info/WHEEL") && !fits(file, wheelPlatforms[architecture])),
  );
}

/** Undefined if the file is not an ELF file. */
function machineOf(file: string): number | undefined {
  const header = Buffer.alloc(20);
  const descriptor = openSync(file, "r");
  readSync(descriptor, header);
  closeSync(descriptor);
  return header.toString("latin1", 0, 4) === "\x7fELF" ? header.readUInt16LE(18) : undefined;
}

function fits(wheel: string, platform: string): boolean {
  const tags = readFileSync(wheel, "utf8").matchAll(/^Tag: \S+-(\S+)$/gm);
  return [...tags].some(([, tag = ""]) => tag === "any" || tag.endsWith(`_${platform}`));
}

/** Returns x for the newest glibc version, 2.x, that a binary requires. */
export function newestGlibcMinor(binary: string): number {
  const names = readFileSync(binary, "latin1").matchAll(/GLIBC_2\.(\d+)/g);
  return Math.max(...[...names].map(([, minor]) => Number(minor)));
}
