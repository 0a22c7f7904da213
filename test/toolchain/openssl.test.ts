import { mkdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isSlowOpenssl, opensslVariables, opensslVersion } from "../../lib/toolchain/openssl.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const venv = folderPerTest();

/** A Python that says what OpenSSL it is linked with, and another where LD_LIBRARY_PATH names one. */
function python(own: string, found = own): string {
  const path = venv("python");
  const say = (name: string) => `printf '%s\\n' '${name}' /usr/lib/ssl/cert.pem /usr/lib/ssl/certs`;
  const script = `#!/bin/sh\nif [ -e "$LD_LIBRARY_PATH/libssl.so.3" ]; then ${say(found)}; else ${say(own)}; fi\n`;
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}

function installWheel(hash: string): string {
  const folder = venv("lib", "python3.13", "site-packages", "psycopg2_binary.libs");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of [`libssl-${hash}.so.3`, `libcrypto-${hash}.so.3`, "libpq-1a2b.so.5.17"]) {
    writeFileSync(join(folder, name), "");
  }
  return folder;
}

const old = "OpenSSL 3.0.19 27 Jan 2026";
const recent = "OpenSSL 3.5.8 25 Aug 2026";

describe("the OpenSSL of functions in Python", () => {
  it("is the environment's where the Python's is older than Lambda's, and looks for roots where that did", () => {
    const wheel = installWheel("81ffa89e");
    const variables = opensslVariables(python(old, recent), venv());
    expect(variables).toEqual({
      LD_LIBRARY_PATH: venv("openssl"),
      SSL_CERT_FILE: "/usr/lib/ssl/cert.pem",
      SSL_CERT_DIR: "/usr/lib/ssl/certs",
    });
    expect(opensslVersion(venv("python"), variables)).toBe("3.5.8");
    for (const name of ["libssl.so.3", "libssl-81ffa89e.so.3"]) {
      expect(realpathSync(venv("openssl", name))).toBe(join(wheel, "libssl-81ffa89e.so.3"));
    }
    const libcrypto = realpathSync(venv("openssl", "libcrypto.so.3"));
    expect(libcrypto).toBe(join(wheel, "libcrypto-81ffa89e.so.3"));
    expect(readlinkSync(venv("openssl", "libssl.so.3"))).toMatch(/^\.\.\/lib\//);
  });

  it("is another wheel's once that is installed", () => {
    installWheel("81ffa89e");
    opensslVariables(python(old, recent), venv());
    const wheel = installWheel("01234567");
    opensslVariables(python(old, recent), venv());
    expect(realpathSync(venv("openssl", "libssl.so.3"))).toBe(join(wheel, "libssl-01234567.so.3"));
  });

  it.each([
    ["is as quick as Lambda's", recent, recent],
    ["is linked statically", old, old],
    ["is of the time before 3.0", "OpenSSL 1.1.1w 11 Sep 2023", recent],
    ["is another library", "LibreSSL 3.3.6", recent],
  ])("stays the Python's where that %s", (_, own, found) => {
    installWheel("81ffa89e");
    expect(opensslVariables(python(own, found), venv())).toEqual({});
  });

  it("stays the Python's where the environment has no wheel, or is not there", () => {
    expect(opensslVariables(python(old, recent), venv())).toEqual({});
    expect(opensslVariables(python(old, recent), venv("nowhere"))).toEqual({});
  });

  it("is unknown where no Python runs", () => {
    expect(opensslVersion(venv("nothing"))).toBeUndefined();
    expect(opensslVariables(venv("nothing"), venv())).toEqual({});
  });

  it.each([
    ["3.0.19", true],
    ["3.1.4", true],
    ["3.2.2", false],
    ["3.5.8", false],
    ["1.1.1", false],
    ["4.0.3", false],
  ])("%s is slow: %s", (version, isSlow) => expect(isSlowOpenssl(version)).toBe(isSlow));
});
