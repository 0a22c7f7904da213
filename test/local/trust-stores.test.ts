import { X509Certificate } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rootCertificates } from "node:tls";
import { beforeEach, describe, expect, it } from "vitest";
import { writeTrustStores } from "../../lib/local/local-functions.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const isAmazons = (pem: string) => /Amazon Root CA|Starfield Services/.test(subjectOf(pem));
const subjectOf = (pem: string) => new X509Certificate(pem).subject;
const [own = "", ...others] = rootCertificates.filter((pem) => !isAmazons(pem)).slice(0, 4);
const amazons = rootCertificates.filter(isAmazons);

const folder = folderPerTest();
beforeEach(() => {
  const commented = [...others, ...amazons].map((pem) => `# Label: one of them\n${pem}\n`);
  writeFileSync(folder("cacert.pem"), commented.join("\n"));
  writeFileSync(folder("root.pem"), own);
});

function subjectsIn(path: string): readonly string[] {
  const pems = readFileSync(path, "utf8").match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g);
  return (pems ?? []).map(subjectOf).sort();
}

const sorted = (pems: readonly string[]) => pems.map(subjectOf).sort();

describe("the trust stores of a local run", () => {
  it("have the stand-in's root: among all public ones as a system has, and among Amazon's as a binary has", () => {
    const stores = writeTrustStores(folder("root.pem"), folder(), folder("cacert.pem"));
    expect(amazons).toHaveLength(5);
    expect(subjectsIn(stores.native)).toEqual(sorted([own, ...others, ...amazons]));
    expect(subjectsIn(stores.bundled)).toEqual(sorted([own, ...amazons]));
  });

  it("are replaced as a whole: nothing half written is left beside them", () => {
    for (const _ of [1, 2]) {
      writeTrustStores(folder("root.pem"), folder(), folder("cacert.pem"));
    }
    const files = readdirSync(folder()).filter((name) => name.includes("roots"));
    expect(files.sort()).toEqual(["bundled-roots.pem", "native-roots.pem"]);
  });
});
