import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FunctionsFile } from "../../lib/contract/types/contract.ts";
import { makeZip } from "./make-zip.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A folder of artefacts, and of functions files that name them. */
interface FunctionsFolder {
  readonly folder: string;
  /** Writes a functions file with these changes; returns its path. */
  write(changes?: Partial<FunctionsFile>): string;
}

/** Returns a 64-bit little-endian ELF header for the machine: 62 is x86_64, 183 arm64. */
export function elfHeader(machine: number): Buffer {
  const header = Buffer.alloc(64);
  header.write("\x7fELF\x02\x01\x01", 0, "latin1");
  header.writeUInt16LE(machine, 18);
  return header;
}

const python = 'def lambda_handler(event, context):\n    return {"statusCode": 200}\n';
const node = "export const handler = async () => ({ statusCode: 200 });\n";

/** Makes base.zip in Python, the folder head in Node.js, and the folder native with a program for x86_64. */
export function functionsFolder(): FunctionsFolder {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, "base.zip"),
    makeZip([{ name: "lambda_function.py", content: python }]),
  );
  mkdirSync(join(folder, "head"));
  writeFileSync(join(folder, "head", "index.mjs"), node);
  mkdirSync(join(folder, "native"));
  writeFileSync(join(folder, "native", "bootstrap"), elfHeader(62), { mode: 0o755 });
  const file: FunctionsFile = {
    schemaVersion: 1,
    functions: [
      { name: "base", artefact: "base.zip", environment: { LOG_LEVEL: "error" } },
      { name: "head", artefact: "head" },
    ],
    memoryMb: [128, 512],
    timeoutSeconds: 10,
    events: [
      { name: "get", payload: { id: 1 }, expected: { statusCode: 200 } },
      { name: "put", payload: "{% $run %}" },
    ],
  };
  let count = 0;
  return {
    folder,
    write: (changes = {}) => {
      const path = join(folder, `functions-${count++}.json`);
      writeFileSync(path, JSON.stringify({ ...file, ...changes }));
      return path;
    },
  };
}
