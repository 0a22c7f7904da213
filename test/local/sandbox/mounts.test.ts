import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  copyLinks,
  installationOf,
  listSystem,
  orderMounts,
  Skeleton,
  tableLine,
  visible,
} from "../../../lib/local/sandbox/mounts.ts";
import { placeOf, seenIn, variablesSeenIn } from "../../../lib/local/sandbox/places.ts";
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

/** A mount of this machine, wherever temporary folders are. */
const seen = (path: string) => ({ from: path, to: placeOf(path), path });
const same = (path: string) => ({ from: path, to: path, path });

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
      seen(join(base, "venv")),
      seen(join(base, "versions", "3.13")),
    ]);
  });

  it("is of a program outside of a bin its folder, and of one in the user's own bin that alone", () => {
    const outside = makeProgram(join(base, "tools", "node"));
    expect(installationOf(outside, "/root")).toEqual([seen(join(base, "tools"))]);
    const own = makeProgram(join(base, "bin", "node"));
    expect(installationOf(own, base)).toEqual([seen(join(base, "bin"))]);
    const inHome = makeProgram(join(base, "node"));
    expect(installationOf(inHome, base)).toEqual([seen(inHome)]);
  });

  it("is at a link's place what it leads to, which is at its own place too", () => {
    mkdirSync(join(base, "real"));
    symlinkSync("real", join(base, "link"));
    const [link, real] = [join(base, "link"), join(base, "real")];
    expect(visible(link)).toEqual([{ ...seen(link), from: real }, seen(real)]);
    expect(visible(join(base, "absent"))).toEqual([]);
  });

  it("is each place once, outer ones first", () => {
    const inner = same("/work/project/.venv/lib");
    const task = { from: "/tmp/copy", to: "/var/task" };
    const mounts = [inner, same("/work/project/.venv"), task, same("/usr/local"), task];
    expect(orderMounts(mounts, ["usr"])).toEqual([task, same("/work/project/.venv")]);
  });

  it("is where a folder within another is another folder, both", () => {
    const outer = { from: "/tmp/copy", to: "/work" };
    const inner = same("/work/node");
    expect(orderMounts([inner, outer], [])).toEqual([outer, inner]);
  });
});

describe("a folder of this machine below one that is the function's own", () => {
  const layers = { from: "/tmp/functions/opt", to: "/opt" };

  it.each(["/tmp/a b/kelvin", "/var/tmp/kelvin", "/run/kelvin", "/dev/shm/kelvin", "/opt/kelvin"])(
    "is seen elsewhere, and commands and variables name that place: %s",
    (clone) => {
      const mounts = [layers, { from: clone, to: placeOf(clone), path: clone }];
      const moved = `/run/machine${clone}`;
      expect(seenIn(mounts)(`${clone}/runtime.mjs`)).toBe(`${moved}/runtime.mjs`);
      const variables = {
        PATH: `${clone}/bin:/usr/bin:/opt/bin`,
        HOME: "/tmp",
        LINK: `${clone}-2`,
      };
      expect(variablesSeenIn(mounts, variables)).toEqual({
        ...variables,
        PATH: `${moved}/bin:/usr/bin:/opt/bin`,
      });
    },
  );

  it("is seen at its own path outside of them", () => {
    const mounts = [layers, same("/home/user/kelvin")];
    expect(placeOf("/home/user/kelvin")).toBe("/home/user/kelvin");
    expect(seenIn(mounts)("/home/user/kelvin/runtime.mjs")).toBe("/home/user/kelvin/runtime.mjs");
  });

  it("may be a Python's, which programs find by its links, its settings and its library", () => {
    const python = makeProgram(join(base, "3.13", "bin", "python3.13"));
    makeProgram(join(base, "3.13", "lib", "libpython3.so"));
    const venv = join(base, "venv");
    makeProgram(join(venv, "bin", "pip"));
    symlinkSync(python, join(venv, "bin", "python3"));
    symlinkSync("python3", join(venv, "bin", "python"));
    writeFileSync(join(venv, "pyvenv.cfg"), `home = ${base}/3.13/bin\nversion = 3.13.0\n`);
    const moved = (path: string) => path.replace(base, "/moved");
    const mounts = installationOf(join(venv, "bin", "python")).map(({ to: _, ...mount }) => ({
      ...mount,
      to: moved(mount.from),
    }));
    const leading = mounts.filter(({ leadsElsewhere }) => leadsElsewhere);
    expect(leading.map(({ from }) => from.replace(venv, ""))).toContain("/pyvenv.cfg");
    copyLinks(join(venv, "bin"), join(base, "copy"), seenIn(mounts));
    expect(readdirSync(join(base, "copy"))).toEqual(["python", "python3"]);
    expect(readlinkSync(join(base, "copy", "python"))).toBe("/moved/3.13/bin/python3.13");
    copyLinks(join(venv, "pyvenv.cfg"), join(base, "settings"), seenIn(mounts));
    const settings = "home = /moved/3.13/bin\nversion = 3.13.0\n";
    expect(readFileSync(join(base, "settings"), "utf8")).toBe(settings);
    expect(variablesSeenIn(mounts, { LD_LIBRARY_PATH: "/lib64" })).toEqual({
      LD_LIBRARY_PATH: "/lib64:/moved/3.13/lib",
    });
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

  it("has a place for each mount, a file's or a folder's, and makes none in another mount", () => {
    const skeleton = new Skeleton(join(base, "root"));
    mkdirSync(join(base, "cache", "certificates"), { recursive: true });
    writeFileSync(join(base, "cache", "root.pem"), "");
    const mounts = ["root.pem", "certificates"].flatMap((name) =>
      visible(join(base, "cache", name)),
    );
    skeleton.fileSystemTable([], [], mounts);
    const [file = "", folder = ""] = mounts.map(({ to }) => join(base, "root", to));
    expect(statSync(file).isFile()).toBe(true);
    expect(statSync(folder).isDirectory()).toBe(true);
    expect(readdirSync(join(base, "root", "tmp"))).toEqual([]);
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
