import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");

interface Room {
  /** The rooms whose modules it may import, beside its own. */
  readonly imports: readonly string[];
  /** No Node API, no SDK, no construct: the same arguments give the same result. */
  readonly isPure?: true;
}

/** docs/architecture.md says what each is for. bin, tests and benchmarks may import every room. */
const rooms: Readonly<Record<string, Room>> = {
  "lib/contract": { imports: [], isPure: true },
  "lib/plan": { imports: ["lib/contract"], isPure: true },
  "lib/statistics": { imports: ["lib/contract"], isPure: true },
  "lib/prediction": { imports: ["lib/contract", "lib/statistics"], isPure: true },
  "lib/cost": { imports: ["lib/contract", "lib/plan"], isPure: true },
  "lib/sampler": { imports: ["lib/contract", "lib/plan"], isPure: true },
  "lib/import": { imports: ["lib/contract", "lib/sampler"], isPure: true },
  "lib/analysis": {
    imports: ["contract", "plan", "statistics", "cost", "prediction"].map(ofLib),
    isPure: true,
  },
  "lib/report": {
    imports: ["contract", "plan", "statistics", "cost", "prediction", "analysis"].map(ofLib),
    isPure: true,
  },
  "lib/experiments": {
    imports: ["contract", "plan", "statistics", "cost", "analysis", "report"].map(ofLib),
    isPure: true,
  },
  "lib/run": {
    imports: ["contract", "plan", "sampler", "cost", "experiments"].map(ofLib),
    isPure: true,
  },
  "lib/files": { imports: ["lib/contract"] },
  "lib/functions": { imports: ["lib/contract", "lib/files", "lib/plan"] },
  "lib/toolchain": { imports: ["lib/contract", "lib/files", "lib/plan"] },
  "lib/aws": { imports: ["lib/contract", "lib/files", "lib/plan", "lib/sampler"] },
  "lib/local": {
    imports: ["contract", "files", "plan", "sampler", "statistics", "toolchain"].map(ofLib),
  },
  "lib/infra": { imports: ["contract", "plan", "experiments", "run", "toolchain"].map(ofLib) },
  "studies/emulators": {
    imports: ["contract", "plan", "sampler", "statistics", "cost", "analysis", "report"].map(ofLib),
    isPure: true,
  },
  "studies/emulators/engines": {
    imports: ["contract", "local", "plan", "sampler", "toolchain"]
      .map(ofLib)
      .concat("studies/emulators"),
  },
  "lambdas/driver": {
    imports: ["contract", "plan", "sampler", "cost", "analysis", "report", "experiments"]
      .concat("aws", "run")
      .map(ofLib),
  },
};

const constructs = /^(aws-cdk-lib|constructs$|cargo-lambda-cdk$)/;
const impure = /^(node:|@aws-sdk\/|aws-cdk-lib|constructs$|cargo-lambda-cdk$)/;

function ofLib(name: string): string {
  return `lib/${name}`;
}

/** The modules of a folder, relative to the repository. */
function modulesOf(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
}

/** What a module imports: other modules relative to the repository, and packages. */
function importsOf(module: string): readonly string[] {
  const text = readFileSync(join(root, module), "utf8");
  const specifiers = [
    ...text.matchAll(/^(?:import|export)\s[^;"']*?from "([^"]+)"/gm),
    ...text.matchAll(/^import "([^"]+)"/gm),
  ].map(([, specifier = ""]) => specifier);
  return specifiers.map((specifier) =>
    specifier.startsWith(".") ? relative(root, resolve(root, module, "..", specifier)) : specifier,
  );
}

/** Writes the contract's types: it runs by itself, and nobody imports it. */
const generator = "lib/contract/generate-types.ts";
const modules = ["lib", "bin", "lambdas/driver", "studies"]
  .flatMap(modulesOf)
  .filter((module) => module !== generator && !/^studies\/\w+\/(bench|test)\//.test(module));
const imports = new Map(modules.map((module) => [module, importsOf(module)]));
const isBelow = (module: string, folder: string) => module.startsWith(`${folder}/`);
/** A room within another is one of its own. */
const isIn = (module: string, room: string) =>
  isBelow(module, room) &&
  !Object.keys(rooms).some((inner) => isBelow(inner, room) && isBelow(module, inner));

/** The only modules outside a study that import it, so that its folder can be taken away with them. */
const importersOfStudies = ["bin/run/compare-engines.ts", "bin/run/studies.ts"];

/** Why a module of the room may not import that; undefined where it may. */
function refusal(room: string, imported: string): string | undefined {
  const { imports: allowed, isPure } = rooms[room] as Room;
  if (isPure && impure.test(imported)) return `${room} is pure: no ${imported}`;
  if (constructs.test(imported)) return room === "lib/infra" ? undefined : `${room}: no construct`;
  const isOfProject = /^(lib|bin|test|bench|lambdas|studies)\//.test(imported);
  if (!isOfProject || [room, ...allowed].some((each) => isIn(imported, each))) return undefined;
  return `${room} may not import ${imported}`;
}

/** What a text imports of other modules, as `module#name`, by import or by `(await import(...)).name`. */
function importedNames(module: string): readonly string[] {
  const text = readFileSync(join(root, module), "utf8");
  const absolute = (specifier: string) => relative(root, resolve(root, module, "..", specifier));
  const lists = [...text.matchAll(/^import\s[^;"']*?\{([^}]*)\} from "(\.[^"]+)"/gm)];
  const named = lists.flatMap(([, names = "", specifier = ""]) =>
    names
      .split(",")
      .map(
        (name) =>
          name
            .trim()
            .replace(/^type /, "")
            .split(" as ")[0] ?? "",
      )
      .map((name) => `${absolute(specifier)}#${name}`),
  );
  const called = [...text.matchAll(/\(await import\("(\.[^"]+)"\)\)\.(\w+)/g)].map(
    ([, specifier = "", name = ""]) => `${absolute(specifier)}#${name}`,
  );
  const destructured = [...text.matchAll(/\{([^}]*)\} = await import\("(\.[^"]+)"\)/g)].flatMap(
    ([, names = "", specifier = ""]) =>
      names.split(",").map((name) => `${absolute(specifier)}#${name.trim()}`),
  );
  return [...named, ...called, ...destructured];
}

/** What a module exports, as `module#name`; a handler's is called by Lambda. */
function exportedNames(module: string): readonly string[] {
  const text = readFileSync(join(root, module), "utf8");
  const declared = /^export (?:async )?(?:function\*? |class |const |let |interface |type )(\w+)/gm;
  return [...text.matchAll(declared)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "handler")
    .map((name) => `${module}#${name}`);
}

/** Modules that import each other, by way of others or not; in the order in which they do. */
function circles(): readonly string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const trial = (module: string, way: readonly string[]) => {
    if (way.includes(module)) found.push([...way.slice(way.indexOf(module)), module].join(" -> "));
    if (done.has(module) || way.includes(module)) return;
    for (const imported of imports.get(module) ?? []) trial(imported, [...way, module]);
    done.add(module);
  };
  for (const module of modules) trial(module, []);
  return found;
}

describe("the rooms", () => {
  it("are all of lib, and each stands in docs/architecture.md", () => {
    const folders = readdirSync(join(root, "lib"))
      .map(ofLib)
      .filter((folder) => modulesOf(folder).length > 0);
    const others = ["lambdas/driver", "studies/emulators", "studies/emulators/engines"];
    expect(Object.keys(rooms).toSorted()).toEqual([...folders, ...others].toSorted());
    const architecture = readFileSync(join(root, "docs", "architecture.md"), "utf8");
    for (const room of Object.keys(rooms)) expect(architecture).toContain(`\`${room}\``);
  });

  it.each(Object.keys(rooms))("%s imports what its room may", (room) => {
    const refused = modules
      .filter((module) => isIn(module, room))
      .flatMap((module) =>
        (imports.get(module) ?? []).flatMap((imported) => {
          const reason = refusal(room, imported);
          return reason === undefined ? [] : [`${module}: ${reason}`];
        }),
      );
    expect(refused).toEqual([]);
  });

  it.each([
    ["lib/contract", "lib/plan/matrix.ts"],
    ["lib/statistics", "lib/cost/estimate.ts"],
    ["lib/prediction", "lib/analysis/summary.ts"],
    ["lib/analysis", "lib/aws/clients.ts"],
    ["lib/analysis", "lib/report/document/document.ts"],
    ["lib/cost", "node:fs"],
    ["lib/sampler", "@aws-sdk/client-s3"],
    ["lib/plan", "constructs"],
    ["lib/run", "lib/infra/run-states.ts"],
    ["lib/run", "lambdas/driver/plan.ts"],
    ["lib/report", "lib/experiments/catalogue.ts"],
    ["lib/aws", "lib/report/overview.ts"],
    ["lib/local", "lib/infra/kelvin-stack.ts"],
    ["lib/infra", "lambdas/driver/plan.ts"],
    ["lib/local", "studies/emulators/engines/engine-kinds.ts"],
    ["studies/emulators", "studies/emulators/engines/install-engines.ts"],
    ["lib/toolchain", "bin/progress.ts"],
    ["lib/aws", "aws-cdk-lib"],
    ["lambdas/driver", "lib/local/machine.ts"],
  ])("refuse what goes the wrong way: %s of %s", (room, imported) => {
    expect(refusal(room, imported)).toBeDefined();
  });

  it("know no study, except for two modules of the command line", () => {
    const importers = [...modules, ...modulesOf("bench")].filter(
      (module) =>
        !isBelow(module, "studies") &&
        importsOf(module).some((imported) => isBelow(imported, "studies")),
    );
    expect(importers).toEqual(importersOfStudies);
  });

  it("leave each command to the command line: what several share is in bin/run", () => {
    const helpers = modules.filter((module) => isBelow(module, "bin/run"));
    expect(helpers.length).toBeGreaterThan(10);
    const ofCommands = helpers.flatMap((module) =>
      (imports.get(module) ?? []).filter((imported) => isBelow(imported, "bin/commands")),
    );
    expect(ofCommands).toEqual([]);
  });

  it("export nothing that nobody imports", () => {
    const readers = [...modules, ...["test", "bench", "studies"].flatMap(modulesOf)];
    const imported = new Set(readers.flatMap(importedNames));
    const isGenerated = (module: string) => module.endsWith("/types/contract.ts");
    const exported = modules.filter((module) => !isGenerated(module)).flatMap(exportedNames);
    expect(exported.filter((name) => !imported.has(name))).toEqual([]);
  });

  it("have no circle of imports", () => {
    expect(circles()).toEqual([]);
  });
});

const reading = "(?:read|exists|l?stat|open|watch|createReadStream)\\w*";
const kernelPath = "[\"'`](?:/(?:proc|sys)\\b|(?:cgroup|cpu|cpuacct|freezer|memory)\\.\\w)";

/** Returns whether a text reads what it names of the kernel's, or imports what could read it. */
function readsKernel(text: string, mayImport: boolean): boolean {
  if (new RegExp(`\\b${reading}\\(\\s*${kernelPath}`).test(text)) return true;
  const imports = [...text.matchAll(/^import\s([^;"']*?)from "node:fs(?:\/promises)?"/gm)];
  const isAble = imports.some(([, what = ""]) =>
    new RegExp(`\\b${reading}|^(?!\\{)`).test(what.trim()),
  );
  return isAble && !mayImport && new RegExp(kernelPath).test(text);
}

describe("the kernel's files", () => {
  it("are read by lib/files/kernel-files.ts: a module that names them imports no other function that reads", () => {
    // A sandbox names the mounts and links that a function sees, and reads none of them.
    const isOfSandbox = (module: string) => isIn(module, "lib/local/sandbox");
    const readers = [...modules, ...modulesOf("bench")].filter((module) =>
      readsKernel(readFileSync(join(root, module), "utf8"), isOfSandbox(module)),
    );
    expect(readers).toEqual([]);
  });

  it.each([
    'await readdir("/proc")',
    "existsSync(`/sys/fs/cgroup/kelvin`)",
    'import { readFileSync } from "node:fs";\nconst file = "/proc/stat";',
    'import { stat } from "node:fs/promises";\nconst file = join(group, "cpu.stat");',
    'import fs from "node:fs";\nconst file = "/proc/stat";',
  ])("are seen where they are read: %s", (text) => {
    expect(readsKernel(text, false)).toBe(true);
  });
});
