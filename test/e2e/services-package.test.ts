import { execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { validated } from "../../lib/contract/validate.ts";
import { buildRustBinaries } from "../../lib/toolchain/build-local.ts";
import { archiveName, type PinnedPackage } from "../../lib/toolchain/npm-archive.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { preparePythonVenv, venvPython } from "../../lib/toolchain/python.ts";
import { localTarget } from "../../lib/toolchain/rust-build.ts";
import { packServices, serviceBuilds } from "../../lib/toolchain/service-package.ts";
import { servedHttp } from "../support/http-server.ts";
import { makeZip } from "../support/make-zip.ts";

/** Where nothing of the repository is. */
const folder = mkdtempSync(join(tmpdir(), "kelvin-services-package-"));
const services = join(folder, "services");
const cache = join(folder, "cache");
const kelvinPath = join(folder, "node_modules", ".bin", "kelvin");
const ownEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|VITEST)/i.test(name)),
);

/** Calls both services with the SDK that Lambda's Python has. */
const python = `import boto3
table = boto3.resource("dynamodb").Table("orders")
bucket = boto3.client("s3")
def lambda_handler(event, context):
    table.put_item(Item={"id": "1", "total": 7})
    bucket.put_object(Bucket="uploads", Key="one", Body=b"1")
    item = table.get_item(Key={"id": "1"})["Item"]
    objects = bucket.list_objects_v2(Bucket="uploads")["KeyCount"]
    return {"total": int(item["total"]), "objects": objects}
`;
const table = {
  TableName: "orders",
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
};

let pinned: PinnedPackage;
/** The archives that npm asked the registry for. */
const fetched: string[] = [];

/** A registry that has the one package: https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md */
const registry = servedHttp(({ url = "", headers }, response) => {
  const { package: name, version, integrity } = pinned;
  const archive = archiveName(pinned);
  if (url === `/${archive}`) {
    fetched.push(archive);
    return void response.end(readFileSync(join(services, archive)));
  }
  const dist = { tarball: `http://${headers.host}/${archive}`, integrity };
  const versions = { [version]: { name, version, dist } };
  const known = { name, "dist-tags": { latest: version }, versions };
  response.statusCode = url === `/${name}` ? 200 : 404;
  response.end(JSON.stringify(url === `/${name}` ? known : {}));
});

async function kelvin(...words: readonly string[]) {
  const env = {
    ...ownEnvironment,
    XDG_CACHE_HOME: cache,
    // What pip brought to the project's own environment is not to be brought again.
    PIP_CACHE_DIR: join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "pip"),
    npm_config_registry: registry("/"),
    npm_config_noproxy: "127.0.0.1",
  };
  return await new Promise<{ status: unknown; stderr: string }>((resolve) => {
    execFile(kelvinPath, words, { cwd: folder, env }, (error, _, stderr) =>
      resolve({ status: error === null ? 0 : error.code, stderr }),
    );
  });
}

beforeAll(async () => {
  await preparePythonVenv();
  await buildRustBinaries(serviceBuilds, localTarget);
  pinned = await packServices(localTarget, services);
  const env = { ...ownEnvironment, KELVIN_SERVICES: services };
  const quiet = ["--loglevel", "error"];
  const pack = ["pack", "--pack-destination", folder, ...quiet];
  execFileSync("npm", pack, { cwd: projectPaths.root, env });
  const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const install = ["install", "--no-audit", "--no-fund", ...quiet, `./${tarball}`];
  execFileSync("npm", install, { cwd: folder, env: ownEnvironment });
  // A function, which runs as a user of its own, finds what is kept there.
  chmodSync(folder, 0o755);
  mkdirSync(cache);
  writeFileSync(
    join(folder, "function.zip"),
    makeZip([{ name: "lambda_function.py", content: python }]),
  );
  writeFileSync(join(folder, "table.json"), JSON.stringify(table));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the emulated services of an installed package", () => {
  const measure = [
    ...["measure", "function.zip", "--python", venvPython, "--memory", "1769"],
    ...["--table", "table.json", "--bucket", "uploads", "--expect", '{"total":7,"objects":1}'],
    ...["--cold", "6", "--warm", "30", "--idle", "0"],
  ];

  it("are fetched once, by their hash, and serve a Python function with neither repository nor Rust", async () => {
    const first = await kelvin(...measure, "--out", "first");
    expect(first.status, first.stderr).toBe(0);
    expect(first.stderr).toContain(
      `fetching the emulated DynamoDB and S3 (npm's ${pinned.package} ${pinned.version}), once`,
    );
    const ofPython = join(cache, "kelvin", "python-runtime");
    expect(first.stderr).toMatch(/^fetching boto3 and Lambda's runtime client for Python 3\./m);
    expect(first.stderr).toContain(`s; kept in ${ofPython}`);
    const text = readFileSync(join(folder, "first", "manifest.json"), "utf8");
    const manifest = validated("manifest", JSON.parse(text));
    expect(manifest.status).toBe("complete");
    expect(manifest.counts.rejected).toEqual({ "warm-up": expect.any(Number) });
    expect(manifest.versions).toMatchObject({
      "dynoxide-rs": expect.stringMatching(/^\d/),
      s3s: expect.stringMatching(/^\d/),
    });
    // A wrong answer ends the run before anything is measured.
    const again = await kelvin(...measure, "--expect", '{"total":8}', "--out", "second");
    expect(again.stderr).toContain("total: found 7; expected 8");
    expect(again.stderr).not.toContain("fetching the emulated");
    expect(fetched).toEqual([archiveName(pinned)]);
  });

  it("come with the licences of what they are made of, and with nothing that npm would run", () => {
    const [name = ""] = readdirSync(join(cache, "kelvin", "services"));
    const place = join(cache, "kelvin", "services", name);
    expect(readdirSync(join(place, "bin"))).toEqual(["standin-dynamodb", "standin-s3"]);
    const described = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
    expect(described).toMatchObject({ os: [process.platform], cpu: [process.arch] });
    expect(described.scripts).toBeUndefined();
    const notices = readFileSync(join(place, "THIRD-PARTY.txt"), "utf8");
    for (const crate of ["dynoxide-rs", "s3s", "rustls", "tokio"]) {
      expect(notices).toMatch(new RegExp(`^${crate} \\d`, "m"));
    }
    expect(existsSync(join(place, "node_modules"))).toBe(false);
  });
});
