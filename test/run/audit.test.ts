import { writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { folderPerTest } from "../support/temporary-folder.ts";
import { auditCodes, audits, runAudits } from "./audit.ts";

const folder = folderPerTest();
let lines: string[];
beforeEach(() => {
  lines = [];
  vi.stubEnv("PATH", [folder(), "/usr/bin", "/bin"].join(delimiter));
});

/** A tool that answers so, on its standard output, and ends as one that found something does. */
function tool(name: string, answer: unknown, error = ""): void {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  const script = `#!/bin/sh\necho '${error}' >&2\necho '${text}'\nexit 1\n`;
  writeFileSync(folder(name), script, { mode: 0o755 });
}

const npm = (total: number) => tool("npm", { metadata: { vulnerabilities: { total } } });
const pip = (vulns: readonly string[]) =>
  tool("pip-audit", { dependencies: [{ vulns }, { vulns: [] }, { skip_reason: "none" }] });
const cargo = (count: number) => tool("cargo", { vulnerabilities: { count } });
const run = () => runAudits(audits, (line) => void lines.push(line));

it("ends well where every database was asked and knows nothing", () => {
  npm(0);
  pip([]);
  cargo(0);
  expect(run()).toBe(auditCodes.clean);
  expect(lines).toEqual(audits.map(({ name }) => `${name}: 0 advisories`));
});

it("tells how many there are, and ends by them though another was not checked", () => {
  npm(0);
  pip(["PYSEC-1"]);
  tool("cargo", "", "error: no such command: `audit`".replaceAll("`", ""));
  expect(run()).toBe(auditCodes.advisories);
  expect(lines).toContain("lambdas/python/requirements.txt: 1 advisory");
  expect(lines).toContain("Cargo.lock: advisories not checked: error: no such command: audit");
});

it("says why where no database could be asked, and does not end well", () => {
  tool("npm", { message: "405 Method Not Allowed", statusCode: 405 });
  cargo(0);
  expect(run()).toBe(auditCodes.notChecked);
  expect(lines).toContain("npm: advisories not checked: 405 Method Not Allowed");
  expect(lines).toContain(
    "lambdas/python/requirements.txt: advisories not checked: spawnSync pip-audit ENOENT",
  );
});
