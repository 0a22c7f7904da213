import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "json-schema-to-typescript";

const root = join(import.meta.dirname, "..", "..");

/** Folders with schemas, and with the types generated from them. */
export const contractFolders: readonly string[] = [
  join("lib", "contract"),
  join("studies", "emulators"),
].map((folder) => join(root, folder));

/** Path of a folder's generated types. */
export function typesPath(folder: string): string {
  return join(folder, "types", "contract.ts");
}

/** Generates the TypeScript types of a folder's schemas. A test compares them with the committed file. */
export async function contractTypes(folder: string): Promise<string> {
  const schemasDirectory = join(folder, "schemas");
  const files = readdirSync(schemasDirectory).filter((file) => file.endsWith(".schema.json"));
  const definitions: Record<string, unknown> = {};
  for (const file of files.sort()) {
    const text = readFileSync(join(schemasDirectory, file), "utf8");
    const local = text.replaceAll(
      /"\$ref": "([a-z]+)\.schema\.json"/g,
      '"$ref": "#/definitions/$1"',
    );
    const { $schema: _, $id: __, ...schema } = JSON.parse(local) as Record<string, unknown>;
    definitions[file.replace(".schema.json", "")] = schema;
  }
  const types = await compile({ title: "Contract", definitions } as never, "Contract", {
    bannerComment: "// Generated from ../schemas by `npm run generate`. Do not edit.",
    additionalProperties: false,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    style: { printWidth: 100 },
  });
  return types
    .replace(/export interface Contract \{[^}]*\}\n/, "")
    .replaceAll(/ \*\n \* This interface was referenced by [^/]*?\n \*\//g, " */")
    .replaceAll(/\/\*\*\n *\* (.*)\n *\*\//g, "/** $1 */");
}

if (process.argv[1] === import.meta.filename) {
  for (const folder of contractFolders) {
    writeFileSync(typesPath(folder), await contractTypes(folder));
  }
}
