import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  installationOf,
  listSystem,
  orderMounts,
  Skeleton,
  tableLine,
  visible,
} from "../../../lib/local/sandbox/mounts.ts";
import { exportLine } from "../../../lib/local/sandbox/sandbox.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let base: string;
beforeEach(() => {
  base = realpathSync(temporaryFolder());
});

function makeProgram(path: string): string {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "", { mode: 0o755 });
  return path;
}

const same = (path: string) => ({ from: path, to: path });

describe("what a function sees of the machine", () => {
  it("is the system's folders, or the links in their place", () => {
    for (const name of ["usr", "etc", "home"]) mkdirSync(join(base, name));
    symlinkSync("usr/bin", join(base, "bin"));
    mkdirSync(join(base, "usr", "bin"));
    expect(listSystem(base)).toEqual({ folders: ["usr", "etc"], links: [["bin", "usr/bin"]] });
  });

  it("is a program's installation, and those of the links that lead to it", () => {
    const program = makeProgram(join(base, "versions", "3.13", "bin", "python3.13"));
    const link = join(base, "venv", "bin", "python");
    mkdirSync(join(link, ".."), { recursive: true });
    symlinkSync(program, link);
    expect(installationOf(link, "/root")).toEqual([
      same(join(base, "venv")),
      same(join(base, "versions", "3.13")),
    ]);
  });

  it("is of a program outside of a bin its folder, and of one in the user's own bin that alone", () => {
    const outside = makeProgram(join(base, "tools", "node"));
    expect(installationOf(outside, "/root")).toEqual([same(join(base, "tools"))]);
    const own = makeProgram(join(base, "bin", "node"));
    expect(installationOf(own, base)).toEqual([same(join(base, "bin"))]);
  });

  it("is at a link's place what it leads to, which is at its own place too", () => {
    mkdirSync(join(base, "real"));
    symlinkSync("real", join(base, "link"));
    const [link, real] = [join(base, "link"), join(base, "real")];
    expect(visible(link)).toEqual([{ from: real, to: link }, same(real)]);
    expect(visible(join(base, "absent"))).toEqual([]);
  });

  it("is each place once, outer ones first", () => {
    const inner = same("/work/project/.venv/lib");
    const task = { from: "/tmp/copy", to: "/var/task" };
    const mounts = [inner, same("/work/project/.venv"), task, same("/usr/local"), task];
    expect(orderMounts(mounts, ["usr"])).toEqual([task, same("/work/project/.venv")]);
  });

  it("is where a folder within another is another folder, both", () => {
    const outer = { from: "/tmp/layers", to: "/opt" };
    const inner = same("/opt/node");
    expect(orderMounts([inner, outer], [])).toEqual([outer, inner]);
  });
});

describe("the root directory of environments", () => {
  it("has Lambda's folders, which anybody may enter and read", () => {
    const before = process.umask(0o077);
    try {
      const { root } = new Skeleton(join(base, "root"));
      for (const place of ["", "var/task", "var/runtime", "opt", "tmp", "proc", "dev"]) {
        expect(statSync(join(root, place)).mode & 0o777).toBe(0o755);
      }
      expect(readlinkSync(join(root, "dev", "stdout"))).toBe("/proc/self/fd/1");
      expect(existsSync(join(root, "home", "root"))).toBe(false);
    } finally {
      process.umask(before);
    }
  });

  it("shows all but /proc, /tmp and the devices read-only, and no mount's set-user-ID programs", () => {
    const skeleton = new Skeleton(join(base, "root"));
    mkdirSync(join(base, "code"));
    const task = { from: join(base, "code"), to: "/var/task" };
    const table = skeleton.fileSystemTable([], ["PROCESSES", "IMAGE"], [task]);
    const lines = table.trim().split("\n");
    const writable = lines.filter((line) => !/ \S*\bro,nosuid\b/.test(line));
    expect(writable.filter((line) => !line.includes("/root/dev/"))).toEqual(["PROCESSES", "IMAGE"]);
    expect(lines.at(-1)).toContain(
      `${join(base, "code")} ${join(base, "root", "var/task")} none bind,ro`,
    );
  });

  it("makes the place of a mount in the folder that is seen around it", () => {
    const skeleton = new Skeleton(join(base, "root"));
    for (const name of ["layers", "node"]) mkdirSync(join(base, name));
    const layers = { from: join(base, "layers"), to: "/opt" };
    const node = { from: join(base, "node"), to: "/opt/tools/node" };
    skeleton.fileSystemTable([], [], [node, layers]);
    expect(statSync(join(base, "layers", "tools", "node")).isDirectory()).toBe(true);
    expect(existsSync(join(base, "root", "opt", "tools"))).toBe(false);
  });

  it("has a table in which paths may have blanks and backslashes", () => {
    expect(tableLine("/a b\\c", "/d\te", "bind")).toBe("/a\\040b\\134c /d\\011e none bind 0 0");
  });
});

describe.runIf(process.platform !== "win32")("the variables that a launcher is told", () => {
  it("come to the function as they are, on one line", () => {
    const environment = {
      A: 'it\'s $HOME `x` "y" \\',
      _HANDLER: "a.b",
      LINES: "one\ntwo\n\n",
      EMPTY: "",
    };
    const line = exportLine(environment);
    expect(line).not.toContain("\n");
    const print = 'read -r line; unset PWD OLDPWD; eval "$line"; exec /usr/bin/env -0';
    const printed = execFileSync("/bin/sh", ["-c", print], {
      input: `${line}\n`,
      env: {},
      encoding: "utf8",
    });
    const found = printed.split("\0").filter((each) => /^(A|_HANDLER|LINES|EMPTY)=/.test(each));
    const given = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    expect(found.toSorted()).toEqual(given.toSorted());
  });
});
