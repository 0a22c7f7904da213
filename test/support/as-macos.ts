import childProcess from "node:child_process";
import dgram from "node:dgram";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { basename, resolve } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

// Imported before a program (`node --import tsx --import ./test/support/as-macos.ts`), it hides what Linux has and macOS
// does not: /proc and /sys, Linux's own programs, loopback addresses other than 127.0.0.1. The functions that the program
// starts are not masked. On macOS it changes nothing.

type Call = (...args: readonly unknown[]) => unknown;
type Calls = Record<string, unknown>;

function isHidden(path: unknown): boolean {
  const isUrl = path instanceof URL && path.protocol === "file:";
  const text = isUrl ? fileURLToPath(path) : Buffer.isBuffer(path) ? path.toString() : path;
  return typeof text === "string" && /^\/(?:proc|sys)(?:\/|$)/.test(resolve(text));
}

function missing(call: string, path: unknown): Error {
  const properties = { code: "ENOENT", errno: -2, syscall: call, path: String(path) };
  const message = `ENOENT: no such file or directory, ${call} '${path}'`;
  return Object.assign(new Error(message), properties);
}

/** Replaces a function by one that fails for what is hidden; its other properties stay. */
function replace(owner: Calls, name: string, fail: (args: readonly unknown[]) => unknown): void {
  const real = owner[name] as Call;
  // The target of a symbolic link need not exist.
  const hidden = (args: readonly unknown[]) => isHidden(args[/^symlink/.test(name) ? 1 : 0]);
  function masked(this: unknown, ...args: readonly unknown[]): unknown {
    return hidden(args) ? fail(args) : real.apply(this, [...args]);
  }
  const { prototype: _, ...properties } = Object.getOwnPropertyDescriptors(real);
  owner[name] = Object.defineProperties(masked, properties as PropertyDescriptorMap);
}

/** A class, as its name says, is left: Node.js itself makes its instances. */
const functionsOf = (owner: Calls) =>
  Object.keys(owner).filter((name) => typeof owner[name] === "function" && /^[a-z]/.test(name));

function hideFiles(): void {
  const calls = fs as unknown as Calls;
  for (const name of functionsOf(calls)) {
    const error = (args: readonly unknown[]) => missing(name.replace("Sync", ""), args[0]);
    replace(calls, name, (args) => {
      const callback = args.at(-1);
      if (name === "existsSync") return false;
      const { throwIfNoEntry } = Object(args[1]) as { readonly throwIfNoEntry?: boolean };
      if (throwIfNoEntry === false) return undefined;
      if (name === "exists") return (callback as Call)(false);
      if (/^create/.test(name)) return new Readable().destroy(error(args));
      if (typeof callback !== "function") throw error(args);
      return process.nextTick(callback as Call, error(args));
    });
  }
  for (const name of ["realpath", "realpathSync"] as const) {
    const native = calls[name] as unknown as Calls;
    replace(native, "native", (args) => {
      const error = missing("realpath", args[0]);
      if (name === "realpathSync") throw error;
      return process.nextTick(args.at(-1) as Call, error);
    });
  }
  const promises = fs.promises as unknown as Calls;
  for (const name of functionsOf(promises)) {
    replace(promises, name, (args) => {
      if (name === "watch") throw missing(name, args[0]);
      return Promise.reject(missing(name, args[0]));
    });
  }
}

const linuxPrograms = new Set([
  ...["unshare", "nsenter", "setpriv", "taskset", "flock", "ip", "mount", "mkfs.ext4", "mke2fs"],
  ...["ldd", "valgrind", "vgdb", "systemd-run", "apt-get", "capsh", "prlimit", "setsid"],
]);

/** A program of Linux is started as one that is not there. */
function hidePrograms(): void {
  const calls = childProcess as unknown as Calls;
  for (const name of ["spawn", "spawnSync", "execFile", "execFileSync"]) {
    const real = calls[name] as Call;
    calls[name] = (command: unknown, ...rest: readonly unknown[]) =>
      real(linuxPrograms.has(basename(String(command))) ? `/missing/${command}` : command, ...rest);
  }
}

function hideAddresses(): void {
  const calls = dgram.Socket.prototype as unknown as Calls;
  const real = calls.bind as Call;
  calls.bind = function bind(this: dgram.Socket, ...args: readonly unknown[]) {
    const isElsewhere = args.some((each) => /^127\.(?!0\.0\.1$)/.test(String(each)));
    if (!isElsewhere) return real.apply(this, [...args]);
    const error = Object.assign(new Error("bind EADDRNOTAVAIL"), { code: "EADDRNOTAVAIL" });
    process.nextTick(() => this.emit("error", error));
    return this;
  };
}

if (process.platform !== "darwin") {
  Object.defineProperty(process, "platform", { value: "darwin" });
  Object.assign(os, { type: () => "Darwin" });
  hideFiles();
  hidePrograms();
  hideAddresses();
  syncBuiltinESMExports();
}
