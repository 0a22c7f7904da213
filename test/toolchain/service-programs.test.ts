import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { archiveIntegrity } from "../../lib/toolchain/npm-archive.ts";
import { runCommand } from "../../lib/toolchain/run-command.ts";
import { readPackedServices } from "../../lib/toolchain/service-package.ts";
import {
  prepareServices,
  requireService,
  serviceProgram,
} from "../../lib/toolchain/service-programs.ts";
import packageJson from "../../package.json" with { type: "json" };
import { folderPerTest } from "../support/temporary-folder.ts";

const folder = folderPerTest();
const path = process.env.PATH ?? "";
const platform = "linux-test";
const name = `kelvin-services-${platform}`;
beforeEach(async () => {
  mkdirSync(folder("package", "bin"), { recursive: true });
  const described = { name, crates: { s3s: "1.2.3" } };
  writeFileSync(folder("package", "package.json"), JSON.stringify(described));
  writeFileSync(folder("package", "bin", "standin-s3"), "a program", { mode: 0o755 });
  const archive = folder(`${name}-${packageJson.version}.tgz`);
  await runCommand("tar", ["-czf", archive, "-C", folder(), "package"], { env: { PATH: path } });
  const pin = { package: name, version: packageJson.version, integrity: archiveIntegrity(archive) };
  writeFileSync(folder(`${platform}.json`), JSON.stringify(pin));
  mkdirSync(folder("tools"));
  // An npm that brings the archive: `npm pack NAME --pack-destination FOLDER`.
  const npm = folder("tools", "npm");
  writeFileSync(npm, `#!/bin/sh\ncp ${archive} "$4/${name}-${packageJson.version}.tgz"\n`);
  chmodSync(npm, 0o755);
  vi.stubEnv("PATH", `${folder("tools")}${delimiter}${path}`);
});

const options = () => ({
  known: readPackedServices(folder()),
  platform,
  cache: folder("cache"),
});

describe("the programs of an installed package's services", () => {
  it("are fetched at the first use, which is said with their place, and found at the next", async () => {
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    expect(await prepareServices(["s3"], say, options())).toEqual({ s3s: "1.2.3" });
    const program = serviceProgram("s3", options());
    expect(readFileSync(program, "utf8")).toBe("a program");
    expect(said.join("\n")).toContain(`npm's ${name} ${packageJson.version}`);
    expect(said.join("\n")).toContain(join(program, "..", ".."));
    await prepareServices(["s3"], say, options());
    expect(said).toHaveLength(2);
  });

  it("are not fetched where no service is asked for", async () => {
    const refuse = () => expect.unreachable();
    expect(await prepareServices([], refuse, options())).toEqual({});
  });

  it("are refused where npm brings another archive than the pinned one", async () => {
    const { known, ...rest } = options();
    const pin = known[platform];
    if (pin === undefined) throw new Error("no pin");
    const other = { ...rest, known: { [platform]: { ...pin, integrity: "sha512-other" } } };
    await expect(prepareServices(["s3"], () => {}, other)).rejects.toThrow(
      "the emulated DynamoDB and S3 could not be fetched: the archive that npm brought is sha512-",
    );
  });

  it("are refused before anything is measured on a platform without them, which says where they are", () => {
    expect(() => requireService("dynamodb", { ...options(), platform: "sunos-x64" })).toThrow(
      `there is no emulated DynamoDB for sunos-x64, only for ${platform}; measure in Kelvin's repository`,
    );
    expect(() => requireService("s3", { known: {}, platform })).toThrow(
      "this package was packed without the emulated S3; measure in Kelvin's repository",
    );
    expect(() => requireService("s3", options())).not.toThrow();
  });
});

it("packed services are not pinned where their archive or their version is another one", () => {
  const pinned = folder(`${platform}.json`);
  const pin = JSON.parse(readFileSync(pinned, "utf8"));
  writeFileSync(pinned, JSON.stringify({ ...pin, integrity: "sha512-other" }));
  expect(() => readPackedServices(folder())).toThrow("npm run build:services packs it again");
  expect(readPackedServices(folder("none"))).toEqual({});
});
