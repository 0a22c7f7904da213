import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Architecture, CargoBuild } from "../../lib/plan/experiment.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { chosenPackage } from "../../lib/toolchain/rust-build.ts";

/**
 * The part of cargo's unit graph that is read here. Cargo prints it without compiling:
 * https://doc.rust-lang.org/nightly/cargo/reference/unstable.html#unit-graph
 */
interface UnitGraph {
  readonly units: readonly Unit[];
}

interface Unit {
  readonly pkg_id: string;
  readonly target: { readonly name: string };
  readonly profile: Readonly<Record<string, unknown>>;
  /** null for units that run on the build machine: build scripts and macros. */
  readonly platform: string | null;
  readonly mode: string;
  readonly features: readonly string[];
}

const triples: Readonly<Record<Architecture, string>> = {
  arm64: "aarch64-unknown-linux-gnu",
  x86_64: "x86_64-unknown-linux-gnu",
};

/** Profile settings that determine a crate's compiled code. */
const settings = [
  ...["opt_level", "lto", "codegen_units", "panic", "strip", "debuginfo"],
  ...["debug_assertions", "overflow_checks", "incremental", "codegen_backend"],
] as const;

/**
 * Describes what each binary is built from, readable and comparable: its variables, then every crate with its
 * version, features and compiler settings, under the binaries that use it. Units that run on the build machine are
 * left out: the lockfile has their versions, and a function contains none of them.
 */
export function measuredUnits(builds: readonly CargoBuild[]): string {
  const binariesByUnit = grouped(builds.flatMap(unitsOfBoth));
  const settingsByName = new Map<string, string>();
  const unitsByBinaries = grouped(
    [...binariesByUnit].map(([unit, binaries]) => {
      const { named, compiled } = JSON.parse(unit) as DescribedUnit;
      const name = settingsByName.get(compiled) ?? `settings ${settingsByName.size + 1}`;
      settingsByName.set(compiled, name);
      return [binaries.join(", "), `${named}, ${name}`] as const;
    }),
  );
  const legend = [...settingsByName].map(([compiled, name]) => `${name}: ${compiled}`);
  const sections = [...unitsByBinaries].map(([binaries, units]) =>
    ["", binaries, ...units.map((unit) => `  ${unit}`).sort()].join("\n"),
  );
  return `${[...builds.map(describeBuild), "", ...legend, ...sections.sort()].join("\n")}\n`;
}

interface DescribedUnit {
  readonly named: string;
  /** The compiler's settings. */
  readonly compiled: string;
}

function grouped<Key, Value>(pairs: readonly (readonly [Key, Value])[]): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const [key, value] of pairs) groups.set(key, [...(groups.get(key) ?? []), value]);
  return groups;
}

function describeBuild({ binaryName, profile, environment = {} }: CargoBuild): string {
  const variables = Object.entries(environment).map(([name, value]) => ` ${name}="${value}"`);
  return `${binaryName}: profile ${profile}${variables.join("")}`;
}

/** Pairs each unit with its binary, and names the architecture if only one has the unit. */
function unitsOfBoth(build: CargoBuild): readonly (readonly [unit: string, binary: string])[] {
  const { binaryName } = build;
  const [arm, x86] = [new Set(unitsOf(build, "arm64")), new Set(unitsOf(build, "x86_64"))];
  return [...new Set([...x86, ...arm])].map((unit) => {
    const isOfBoth = x86.has(unit) && arm.has(unit);
    return [unit, isOfBoth ? binaryName : `${binaryName} (${x86.has(unit) ? "x86_64" : "arm64"})`];
  });
}

function unitsOf(build: CargoBuild, architecture: Architecture): readonly string[] {
  const chosen = [...chosenPackage(build), "--bin", build.binaryName, "--profile", build.profile];
  const target = ["--target", triples[architecture]];
  const graph = ["--unit-graph", "-Zunstable-options"];
  const printed = execFileSync("cargo", ["build", "--locked", ...chosen, ...target, ...graph], {
    cwd: projectPaths.rust,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
    // The graph is unstable; the pinned compiler prints it with this variable.
    env: {
      ...process.env,
      ...build.environment,
      RUSTC_BOOTSTRAP: "1",
      CARGO_TARGET_DIR: join(tmpdir(), "kelvin-unit-graph"),
    },
  });
  const { units } = JSON.parse(printed) as UnitGraph;
  return units.filter(({ platform }) => platform !== null).map(describeUnit);
}

/** JSON, so that it can be used as a key. */
function describeUnit({ pkg_id, target, profile, mode, features }: Unit): string {
  // registry+https://...#name@version, or path+file:///.../name#version
  const [, folder = "", name = folder, version = ""] =
    /([^/#]+)#(?:([^@]+)@)?(.+)$/.exec(pkg_id) ?? [];
  const what = mode === "build" ? target.name : `${name}, ${mode}`;
  const described: DescribedUnit = {
    named: `${what} ${version} [${[...features].sort().join(" ")}]`,
    compiled: settings.map((name) => `${name}=${JSON.stringify(profile[name])}`).join(" "),
  };
  return JSON.stringify(described);
}
