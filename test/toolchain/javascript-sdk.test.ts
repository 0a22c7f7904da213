import { mkdirSync, readlinkSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import {
  linkOwnSdk,
  linkPackages,
  missingSdkPackage,
  useSdkPackages,
} from "../../lib/toolchain/javascript-sdk.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const folder = folderPerTest();
const path = process.env.PATH ?? "";

/** Brings packages that export the words of npm's command line; fails where one is called client-none. */
function fakeNpm(): void {
  const tools = folder("tools");
  mkdirSync(tools);
  const script = `#!/bin/sh
case "$*" in *client-none*) echo "no such package" >&2; exit 1 ;; esac
for word in "$@"; do
  case "$word" in @*)
    name="@$(echo "$word" | cut -d@ -f2)"
    mkdir -p "$3/node_modules/$name"
    echo "module.exports = '$*';" > "$3/node_modules/$name/index.js" ;;
  esac
done
`;
  writeFileSync(join(tools, "npm"), script, { mode: 0o755 });
  vi.stubEnv("PATH", `${tools}${delimiter}${path}`);
}

function write(name: string, text: string): void {
  mkdirSync(dirname(folder(name)), { recursive: true });
  writeFileSync(folder(name), text);
}

const required = (name: string) => createRequire(folder("run", "task", "index.js"))(name);
const modules = () => folder("run", "node_modules");
const said: string[] = [];
const use = (names: readonly string[]) =>
  useSdkPackages(names, modules(), {
    say: (line) => void said.push(line),
    cache: folder("cache"),
  });

describe("the AWS SDK of a Node.js function", () => {
  it("is what Kelvin has of it, where that is enough", () => {
    linkOwnSdk(modules());
    expect(required("@aws-sdk/client-dynamodb").DynamoDBClient).toBeTypeOf("function");
  });

  it("is fetched where it is not, as one tree and once, and comes after a layer's", async () => {
    fakeNpm();
    write("layer/@aws-sdk/client-sns/index.js", "module.exports = 'of the layer';");
    linkPackages(folder("layer"), modules());
    // Both are elsewhere where a function has a file system of its own.
    expect(readlinkSync(join(modules(), "@aws-sdk", "client-sns"))).toBe(
      "../../../layer/@aws-sdk/client-sns",
    );
    linkOwnSdk(modules());
    said.length = 0;
    await use(["@aws-sdk/client-sqs"]);
    const names = ["@aws-sdk/client-sqs", "@smithy/util-uri-escape", "@aws-sdk/client-sns"];
    await use(names);
    await use(names.toReversed());
    expect(said).toHaveLength(2);
    expect(required("@aws-sdk/client-sns")).toBe("of the layer");
    const [first, second] = names.map(required);
    expect(first).toBe(second);
    expect(first).toMatch(/@aws-sdk\/client-sqs@3\.\d+\.\d+ @smithy\/util-uri-escape /);
    const real = realpathSync(join(modules(), "@aws-sdk", "client-sqs"));
    expect(real.startsWith(join(realpathSync(folder()), "cache"))).toBe(true);
    // Kelvin's own would be a second copy of what they have in common.
    expect(() => required("@aws-sdk/client-dynamodb")).toThrow("Cannot find module");
  });

  it("leaves nothing in the cache where npm cannot bring it", async () => {
    fakeNpm();
    await expect(use(["@aws-sdk/client-none"])).rejects.toThrow("no such package");
    await expect(use(["@aws-sdk/client-none"])).rejects.toThrow("no such package");
  });

  it("is found missing by what Node.js says, and no other package is", () => {
    const said = "Error: Cannot find module '@aws-sdk/client-sqs/dist'\nRequire stack:";
    expect(missingSdkPackage(said)).toBe("@aws-sdk/client-sqs");
    const imported = "Cannot find package '@smithy/types' imported from /var/task/index.mjs";
    expect(missingSdkPackage(imported)).toBe("@smithy/types");
    expect(missingSdkPackage("Cannot find module 'left-pad'")).toBeUndefined();
  });
});
