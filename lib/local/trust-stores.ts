import { X509Certificate } from "node:crypto";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TrustStore } from "../experiment/experiment.ts";
import { unfinishedName } from "../files/replace-file.ts";
import { projectPaths } from "../toolchain/project-paths.ts";

/** What functions on this machine trust, a PEM file each. */
export type TrustStores = Readonly<Record<TrustStore, string>>;

/** https://www.amazontrust.com/repository/ */
const amazon = /^CN=(Amazon Root CA \d|Starfield Services Root Certificate Authority - G2)$/m;

/**
 * Writes the stores below the folder: the stand-in's root among as many others as a client reads on
 * Lambda, the public ones of a system or Amazon's alone, for reading them is a part of its start. They
 * are those of the locked botocore: every machine has the same.
 */
export function writeTrustStores(
  rootCertificate: string,
  folder: string,
  venv: string = projectPaths.venv,
): TrustStores {
  const root = readFileSync(rootCertificate, "utf8");
  const roots = publicRoots(venv);
  const amazons = roots.filter((pem) => amazon.test(new X509Certificate(pem).subject));
  const write = (name: string, others: readonly string[]) =>
    replaceFile(join(folder, `${name}-roots.pem`), [root, ...others].join("\n"));
  return { native: write("native", roots), bundled: write("bundled", amazons) };
}

function publicRoots(venv: string): readonly string[] {
  const lib = join(venv, "lib");
  const [python = "python3"] = readdirSync(lib).filter((name) => name.startsWith("python3"));
  const path = join(lib, python, "site-packages", "botocore", "cacert.pem");
  const text = readFileSync(path, "utf8");
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}

/** Another run may be reading the file. */
function replaceFile(path: string, text: string): string {
  const unfinished = unfinishedName(path);
  writeFileSync(unfinished, text, { flag: "wx" });
  renameSync(unfinished, path);
  return path;
}
