import { spawnSync } from "node:child_process";
import { join } from "node:path";
import {
  type CommandPurpose,
  commandEnvironment,
} from "../../lib/toolchain/command-environment.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";

/** What an audit ends with: nothing known, something known, or somewhere nobody could tell. */
export const auditCodes = { clean: 0, advisories: 1, notChecked: 3 } as const;

/** A tool that holds a lockfile against a database of advisories, and prints JSON. */
interface Audit {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly purpose: CommandPurpose;
  /** How many advisories its answer has; undefined where it is none: all tools end alike then. */
  readonly advisories: (answer: unknown) => number | undefined;
}

interface NpmAnswer {
  readonly metadata?: { readonly vulnerabilities?: { readonly total?: number } };
}
interface PipAnswer {
  readonly dependencies?: readonly { readonly vulns?: readonly unknown[] }[];
}
interface CargoAnswer {
  readonly vulnerabilities?: { readonly count?: number };
}

const pipLocks = ["requirements.txt", join("s3_fanout", "aio", "requirements.txt")].map((path) =>
  join(projectPaths.python, path),
);
const engines = join(projectPaths.root, "studies", "emulators", "engines", "pinned");

/** Of everything that is deployed, measured or installed for a run. */
export const audits: readonly Audit[] = [
  npmAudit("npm", projectPaths.root),
  npmAudit("npm (dynalite)", join(engines, "dynalite")),
  ...[...pipLocks, join(engines, "moto", "requirements.txt")].map(pipAudit),
  {
    name: "Cargo.lock",
    command: "cargo",
    args: ["audit", "--json"],
    cwd: projectPaths.rust,
    purpose: "rust",
    advisories: (answer) => (answer as CargoAnswer).vulnerabilities?.count,
  },
];

/** Runs each audit and says what came of it, a line each; returns the exit code. */
export function runAudits(all: readonly Audit[], say: (line: string) => void): number {
  const found = all.map((audit) => {
    const { count, why } = runAudit(audit);
    const known = count === 1 ? "1 advisory" : `${count} advisories`;
    say(`${audit.name}: ${count === undefined ? `advisories not checked: ${why}` : known}`);
    return count;
  });
  if (found.some((count) => count !== undefined && count > 0)) return auditCodes.advisories;
  return found.includes(undefined) ? auditCodes.notChecked : auditCodes.clean;
}

/** A database that does not answer is waited for no longer. */
const longestMs = 180_000;

function runAudit(audit: Audit): { readonly count?: number; readonly why?: string } {
  const { command, args, cwd, purpose, advisories } = audit;
  const env = commandEnvironment(purpose);
  const options = { cwd, env, encoding: "utf8", timeout: longestMs, maxBuffer: 1 << 26 } as const;
  const { error, stdout, stderr } = spawnSync(command, args, options);
  if (error !== undefined) return { why: error.message };
  const answer = parsed(stdout);
  const count = answer === undefined ? undefined : advisories(answer);
  if (typeof count === "number") return { count };
  const { message } = (answer ?? {}) as { readonly message?: string };
  const lastLine = stderr.trim().split("\n").at(-1);
  return { why: message ?? (lastLine || `${command} gave no answer`) };
}

function npmAudit(name: string, cwd: string): Audit {
  const advisories = (answer: unknown) => (answer as NpmAnswer).metadata?.vulnerabilities?.total;
  const args = ["audit", "--json", "--package-lock-only"];
  return { name, command: "npm", args, cwd, purpose: "npm", advisories };
}

function pipAudit(lock: string): Audit {
  return {
    name: lock.slice(projectPaths.root.length + 1),
    command: "pip-audit",
    args: ["--requirement", lock, "--require-hashes", "--disable-pip", "--format", "json"],
    cwd: projectPaths.root,
    purpose: "pip",
    advisories: (answer) =>
      (answer as PipAnswer).dependencies?.reduce((sum, { vulns = [] }) => sum + vulns.length, 0),
  };
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
