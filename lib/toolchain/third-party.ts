import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { commandEnvironment } from "./command-environment.ts";
import { projectPaths } from "./project-paths.ts";
import { runCommand } from "./run-command.ts";

/** The fields of cargo's output that are used: https://doc.rust-lang.org/cargo/commands/cargo-metadata.html */
interface CargoMetadata {
  readonly packages: readonly CargoPackage[];
  readonly resolve: { readonly nodes: readonly CargoNode[] };
}

interface CargoPackage {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly license: string | null;
  /** Null for a crate of the workspace. */
  readonly source: string | null;
  readonly manifest_path: string;
}

interface CargoNode {
  readonly id: string;
  readonly deps: readonly {
    readonly pkg: string;
    readonly dep_kinds: readonly { readonly kind: string | null }[];
  }[];
}

/** Returns the notices for a crate's binaries: every linked crate, its licence, and each licence text once. */
export async function thirdPartyNotices(
  crate: string,
  features: readonly string[],
): Promise<string> {
  const used = linkedPackages(crate, await cargoMetadata(crate, features));
  const texts = new Map<string, { readonly text: string; readonly crates: string[] }>();
  for (const each of used) {
    for (const text of licenceTexts(dirname(each.manifest_path))) {
      const key = createHash("sha256").update(text.replaceAll(/\s+/g, " ")).digest("hex");
      const known = texts.get(key) ?? { text, crates: [] };
      known.crates.push(each.name);
      texts.set(key, known);
    }
  }
  const list = used.map(
    ({ name, version, license }) => `${name} ${version}: ${license ?? "see its text"}`,
  );
  const sections = [...texts.values()].map(
    (each) => `${"-".repeat(80)}\n${each.crates.join(", ")}\n\n${each.text.trim()}\n`,
  );
  return `${list.join("\n")}\n\n${sections.join("\n")}`;
}

async function cargoMetadata(crate: string, features: readonly string[]): Promise<CargoMetadata> {
  const lines: string[] = [];
  const args = ["metadata", "--format-version", "1", "--locked", "--features", features.join(",")];
  const options = {
    cwd: join(projectPaths.rust, "crates", crate),
    env: commandEnvironment("rust"),
    onLine: (line: string) => void lines.push(line),
  };
  await runCommand("cargo", args, options);
  return JSON.parse(lines.find((line) => line.startsWith("{")) ?? "{}");
}

/** Lists the third-party crates that a crate is linked with, by name, without those that only build or test it. */
function linkedPackages(
  crate: string,
  { packages, resolve }: CargoMetadata,
): readonly CargoPackage[] {
  const byId = new Map(packages.map((each) => [each.id, each]));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const found = new Set<string>();
  const waiting = packages.filter(({ name, source }) => name === crate && source === null);
  for (const { id } of waiting) {
    for (const { pkg, dep_kinds: kinds } of nodes.get(id)?.deps ?? []) {
      const each = byId.get(pkg);
      if (each === undefined || found.has(pkg) || kinds.every(({ kind }) => kind !== null))
        continue;
      found.add(pkg);
      waiting.push(each);
    }
  }
  return waiting
    .filter(({ source }) => source !== null)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function licenceTexts(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice|copyright)/i.test(entry.name))
    .map(({ name }) => readFileSync(join(folder, name), "utf8"));
}
