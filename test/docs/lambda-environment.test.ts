import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { type OwnFunction, openFunction } from "../support/own-function.ts";

// The table of variables of docs/lambda-environment.md, held against what a function of each kind of runtime finds.

const page = readFileSync(join(projectPaths.root, "docs", "lambda-environment.md"), "utf8");
const probes = join(projectPaths.root, "test", "support", "probe");

type Kind = "nodejs" | "python" | "provided";
const kinds: Readonly<Record<Kind, { file: string; runtime: string; handler: string }>> = {
  nodejs: { file: "index.mjs", runtime: "nodejs22.x", handler: "index.handler" },
  python: { file: "app.py", runtime: "python3.13", handler: "app.handler" },
  provided: { file: "bootstrap", runtime: "provided.al2023", handler: "bootstrap" },
};

interface Row {
  readonly name: string;
  readonly runtimes: string;
  /** The value, with Lambda's places for this machine's; what changes is in <>. Or why there is none. */
  readonly here: string;
}

/** The rows of the table behind the mark, in their order. */
function documented(): readonly Row[] {
  const [, table = ""] = page.split("<!-- variables -->\n");
  const lines = table.split("\n\n", 1)[0]?.split("\n").slice(2) ?? [];
  return lines.map((line) => {
    const [, name = "", runtimes = "", , here = ""] = line.split("|").map((cell) => cell.trim());
    return { name: name.replaceAll("`", ""), runtimes, here };
  });
}

/** What Python, a shell or the wheel of an OpenSSL adds, and what a system of another locale does. */
const notLambdas = new Set(["LC_CTYPE", "PWD", "SHLVL", "_", "SSL_CERT_FILE", "SSL_CERT_DIR"]);

const opened: OwnFunction[] = [];
const found = new Map<Kind, Readonly<Record<string, string>>>();
const folders = new Map<Kind, string>();
beforeAll(async () => {
  for (const kind of Object.keys(kinds) as Kind[]) {
    const { file, runtime, handler } = kinds[kind];
    const text = readFileSync(join(probes, file), "utf8");
    const layer = { "lib/empty": "" };
    const made = await openFunction({ [file]: text }, { runtime, handler, layer });
    opened.push(made);
    const { payload, error } = await made.target.invoke(made.cell, {});
    expect(error).toBeUndefined();
    const { variables, folder } = payload as {
      readonly variables: Record<string, string>;
      readonly folder: string;
    };
    const places = [
      [variables.LAMBDA_TASK_ROOT ?? "", "/var/task"],
      [join(variables.LAMBDA_TASK_ROOT ?? "", "..", "opt"), "/opt"],
      [variables.LAMBDA_RUNTIME_DIR ?? "", "/var/runtime"],
    ] as const;
    const asOnLambda = (value: string) =>
      value
        .split(":")
        .map((path) => {
          const place = places.find(([from]) => path === from || path.startsWith(`${from}/`));
          return place === undefined ? path : place[1] + path.slice(place[0].length);
        })
        // An OpenSSL as quick as Lambda's comes before the system's.
        .filter((path) => path !== join(projectPaths.venv, "openssl"))
        .join(":");
    const entries = Object.entries(variables).filter(([name]) => !notLambdas.has(name));
    found.set(kind, Object.fromEntries(entries.map(([name, value]) => [name, asOnLambda(value)])));
    folders.set(kind, asOnLambda(folder));
  }
});
afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()));
});

const isOf = ({ runtimes }: Row, kind: Kind) =>
  runtimes === "all" || runtimes.split(", ").includes(kind);
const isHere = ({ here }: Row) => here.startsWith("`");

/** `<digits>` and the like stand for any text without a colon. */
function pattern(here: string): RegExp {
  const value = /^`([^`]+)`/.exec(here)?.[1] ?? "";
  const parts = value.split(/<[^>]+>/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`);
}

describe.each(Object.keys(kinds) as Kind[])("a function on %s", (kind) => {
  it("has the variables that the table has, and no others", () => {
    const names = documented()
      .filter((row) => isHere(row) && isOf(row, kind))
      .map(({ name }) => name);
    expect(Object.keys(found.get(kind) ?? {}).sort()).toEqual(names.toSorted());
  });

  it("has them with the values that the table has", () => {
    for (const row of documented().filter((each) => isHere(each) && isOf(each, kind))) {
      expect(found.get(kind)?.[row.name], row.name).toMatch(pattern(row.here));
    }
  });

  it("begins in its own folder", () => {
    expect(folders.get(kind)).toBe("/var/task");
  });
});

it("each variable that is not here has its reason", () => {
  const absent = documented().filter((row) => !isHere(row));
  expect(absent.length).toBeGreaterThan(0);
  for (const { name, here } of absent) expect(here, name).toMatch(/^no: .{10,}/);
});
