import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { defined } from "../../../lib/contract/defined.ts";
import { findCgroupRoot } from "../../../lib/local/cgroup.ts";
import { openNetwork } from "../../../lib/local/environment-network.ts";
import { startNameServer } from "../../../lib/local/name-server.ts";
import { describeSandbox, openSandbox } from "../../../lib/local/sandbox/open-sandbox.ts";
import { placeOf } from "../../../lib/local/sandbox/places.ts";
import { projectPaths } from "../../../lib/toolchain/project-paths.ts";
import {
  type OwnFunction,
  type OwnFunctionOptions,
  ownFunction,
} from "../../support/own-function.ts";

const refusedNames: string[] = [];
const { network } = await openNetwork();
const nameServer = await startNameServer((name) => refusedNames.push(name), network);
const { sandbox, reason } = await openSandbox({
  nameServer: nameServer?.address,
  ...defined({ network }),
});
const cgroupRoot = findCgroupRoot();
const lacking = reason ?? (cgroupRoot?.freezer === undefined ? "no cgroup freezer" : undefined);
afterAll(async () => {
  sandbox?.close();
  await nameServer?.stop();
  await network?.close();
});

/** Whether functions see this clone elsewhere: `npm test` runs this file from a path below /tmp. */
const isInOwnFolder = placeOf(projectPaths.root) !== projectPaths.root;

const python = { runtime: "python3.13", handler: "app.handler" };

async function pythonFunction(text: string, options: Partial<OwnFunctionOptions> = {}) {
  return await ownFunction(
    { "app.py": text, secret: "x" },
    { ...python, timeoutSeconds: 60, ...options, ...defined({ sandbox, network, cgroupRoot }) },
  );
}

async function call({ target, cell }: Pick<OwnFunction, "target" | "cell">): Promise<unknown> {
  const { error, payload, log } = await target.invoke(cell, {});
  if (error !== undefined) throw new Error(`${error.type}: ${error.message}\n${log}`);
  return payload;
}

describe.skipIf(lacking !== undefined)(
  `an environment in a sandbox (here: ${lacking ?? "as on Lambda"})`,
  () => {
    it("has a new /tmp of 512 MB, which ends with it and holds nothing of this machine's, as /opt and /var", async () => {
      const function_ = await pythonFunction(`
import os
def handler(event, context):
    found = os.listdir('/tmp')
    open('/tmp/cache', 'w').close()
    disk = os.statvfs('/tmp')
    with open('/tmp/large', 'wb') as file:
        os.posix_fallocate(file.fileno(), 0, 500 << 20)
        try:
            os.posix_fallocate(file.fileno(), 0, 600 << 20)
            full = None
        except OSError as error:
            full = error.errno
    os.remove('/tmp/large')
    others = [sorted(os.listdir(name)) for name in ['/opt', '/var', '/run']]
    return {'found': found, 'freeMb': disk.f_bavail * disk.f_frsize >> 20, 'full': full, 'others': others}
`);
      const noSpace = 28;
      const first = await call(function_);
      expect(first).toMatchObject({ found: [], full: noSpace });
      const ofRun = isInOwnFolder ? ["machine", "sh"] : ["sh"];
      expect(first).toMatchObject({ others: [[], ["opt", "runtime", "task"], ofRun] });
      const { freeMb } = first as { readonly freeMb: number };
      expect(freeMb).toBeGreaterThanOrEqual(512);
      expect(freeMb).toBeLessThan(524);
      expect(await call(function_)).toMatchObject({ found: ["cache"] });
      await function_.target.forceCold(function_.cell);
      expect(await call(function_)).toMatchObject({ found: [] });
    });

    it("cannot write beside its handler, nor read what only the owner may, and has no rights", async () => {
      const function_ = await pythonFunction(
        `
import os, pwd, resource
def attempt(work):
    try:
        return work() and 'done'
    except OSError as error:
        return error.strerror
def handler(event, context):
    return {
        'write': attempt(lambda: open('/var/task/count', 'w')),
        'read': attempt(lambda: open('/var/task/secret')),
        'system': attempt(lambda: open('/etc/shadow')),
        'home': os.path.exists('${process.env.HOME}/.bashrc'),
        'user': [pwd.getpwuid(os.getuid()).pw_name, os.getgid() == os.getuid(), os.getgroups()],
        'capabilities': [line for line in open('/proc/self/status') if line.startswith('CapEff')],
        'umask': os.umask(0o22),
        'files': resource.getrlimit(resource.RLIMIT_NOFILE)[1],
        'processes': resource.getrlimit(resource.RLIMIT_NPROC)[1],
        'places': [os.getcwd(), os.environ['LAMBDA_TASK_ROOT'], __file__],
    }
`,
        { modes: { secret: 0o600 } },
      );
      expect(await call(function_)).toEqual({
        write: "Read-only file system",
        read: "Permission denied",
        system: "Permission denied",
        home: false,
        user: ["sbx_user1051", true, []],
        capabilities: ["CapEff:\t0000000000000000\n"],
        umask: 0o22,
        files: 1024,
        processes: 1024,
        places: ["/var/task", "/var/task", "/var/task/app.py"],
      });
    });

    it("is gone with all of its processes before the next one begins", async () => {
      const function_ = await pythonFunction(`
import subprocess
def handler(event, context):
    return subprocess.Popen(['setsid', 'sleep', '600']).pid
`);
      const child = (await call(function_)) as number;
      expect(existsSync(`/proc/${child}`)).toBe(true);
      await function_.target.forceCold(function_.cell);
      expect(isRunning(child)).toBe(false);
    });

    it("neither sees, nor reads, nor ends another environment's processes", async () => {
      const { target, cell } = await pythonFunction(`
import os, signal
calls = 0
def attempt(work):
    try:
        return work() and 'done'
    except OSError as error:
        return type(error).__name__
def handler(event, context):
    global calls
    calls += 1
    open('/tmp/own', 'w').close()
    other = event.get('pid', os.getpid())
    seen = [name for name in os.listdir('/proc') if name.isdigit()]
    return {
        'pid': os.getpid(),
        'calls': calls,
        'seesOwnAlone': seen == [str(os.getpid())],
        'variables': attempt(lambda: open(f'/proc/{other}/environ').read()),
        'files': attempt(lambda: os.listdir(f'/proc/{other}/root/tmp')),
        'other': attempt(lambda: os.kill(other, signal.SIGTERM) or True) if event else None,
        'all': attempt(lambda: os.kill(-1, signal.SIGKILL) or True) if event else None,
    }
`);
      const first = await target.invoke(cell, {});
      expect(first.payload).toMatchObject({ seesOwnAlone: true, variables: "done", files: "done" });
      const { pid } = first.payload as { readonly pid: number };
      const second = await target.invoke({ ...cell, id: "another" }, { pid });
      expect(second.payload).toMatchObject({
        seesOwnAlone: true,
        variables: "FileNotFoundError",
        files: "FileNotFoundError",
        other: "PermissionError",
      });
      expect((await target.invoke(cell, {})).payload).toMatchObject({ pid, calls: 2 });
    });

    it("finds no shared memory of an earlier environment, and leaves none on this machine", async () => {
      const function_ = await pythonFunction(`
import ctypes
def handler(event, context):
    create_new = 0o3600
    return ctypes.CDLL(None).shmget(0x6b656c76, 4096, create_new)
`);
      expect(await call(function_)).toBeGreaterThanOrEqual(0);
      expect(await call(function_)).toBe(-1);
      await function_.target.forceCold(function_.cell);
      expect(await call(function_)).toBeGreaterThanOrEqual(0);
    });

    it("stands still between calls", async () => {
      const function_ = await pythonFunction(`
import threading, time
ticks = []
def tick():
    while True:
        ticks.append(time.monotonic() * 1000)
        time.sleep(0.001)
threading.Thread(target=tick, daemon=True).start()
def handler(event, context):
    time.sleep(0.05)
    return ticks
`);
      const during = (await call(function_)) as readonly number[];
      expect(during.length).toBeGreaterThan(0);
      // The kernel stops a process within a few milliseconds.
      await delay(50);
      const fromMs = monotonicMs();
      await delay(300);
      const toMs = monotonicMs();
      const ticks = (await call(function_)) as readonly number[];
      expect(ticks.filter((atMs) => atMs > fromMs && atMs < toMs)).toEqual([]);
      expect(ticks.some((atMs) => atMs >= toMs)).toBe(true);
    });

    it("has in each call's log what the call printed, and nothing of another's", async () => {
      const function_ = await pythonFunction(`
import subprocess
calls = 0
def handler(event, context):
    global calls
    calls += 1
    subprocess.run(['echo', f'call {calls}'])
`);
      for (const number of [1, 2, 3]) {
        const { log = "" } = await function_.target.invoke(function_.cell, {});
        expect(log.match(/call \d/g)).toEqual([`call ${number}`]);
      }
    });

    it("uses the memory that all of its processes do, page cache apart", async () => {
      const python3 = "import time; x = bytearray(80 << 20); time.sleep(1)";
      const function_ = await pythonFunction(`
import subprocess, sys
def handler(event, context):
    if event == 'write':
        with open('/tmp/file', 'wb') as file:
            file.write(b'x' * (1 << 20) * 8)
            for _ in range(11):
                file.write(b'x' * (1 << 20) * 8)
        return
    subprocess.run([sys.executable, '-c', ${JSON.stringify(python3)}], check=True)
`);
      const { target, cell } = function_;
      const cell256 = { ...cell, id: "own-256", memoryMb: 256 };
      const written = await target.invoke(cell256, "write");
      expect(written.error).toBeUndefined();
      expect(written.telemetry?.maxMemoryUsedMb).toBeLessThan(80);
      const held = await target.invoke(cell256, "hold");
      expect(held.error).toBeUndefined();
      expect(held.telemetry?.maxMemoryUsedMb).toBeGreaterThanOrEqual(80);
      expect(held.telemetry?.maxMemoryUsedMb).toBeLessThan(256);
    });

    it("reaches no other machine by name, at once, and what it asked for is known", async () => {
      const function_ = await pythonFunction(`
import socket
def handler(event, context):
    found = {}
    for name in ['uploads.localhost', 'sqs.us-east-1.amazonaws.com']:
        try:
            found[name] = socket.gethostbyname(name)
        except socket.gaierror as error:
            found[name] = error.errno == socket.EAI_NONAME
    found['interfaces'] = [name for _, name in socket.if_nameindex()]
    return found
`);
      expect(await call(function_)).toEqual({
        interfaces: ["lo"],
        "uploads.localhost": "127.0.0.1",
        "sqs.us-east-1.amazonaws.com": true,
      });
      expect(refusedNames).toContain("sqs.us-east-1.amazonaws.com");
    });

    it("is killed when it needs more memory than it has, as Lambda tells it", async () => {
      const { target, cell } = await pythonFunction(`
def handler(event, context):
    return len(bytearray(b'x') * (300 << 20))
`);
      const { error, telemetry } = await target.invoke(cell, {});
      expect(error?.type).toBe("Runtime.ExitError");
      expect(error?.message).toMatch(/^Runtime exited with error: signal: killed/);
      expect(telemetry).toMatchObject({ maxMemoryUsedMb: 128, memorySizeMb: 128, status: "error" });
    });
  },
);

it("a machine without sandboxes says so, and why, in one line", async () => {
  expect(await openSandbox({ platform: "darwin", userId: 0 })).toEqual({
    reason: expect.stringContaining("Linux"),
  });
  const { reason: why } = await openSandbox({ platform: "linux", userId: 1000 });
  expect(why).toBe("only root may mount file systems");
  const { reason: withoutNetwork } = await openNetwork({ platform: "linux", userId: 1000 });
  const line = describeSandbox(defined({ withoutSandbox: why, withoutNetwork }), undefined);
  expect(line).toContain("shared by all of them (only root may mount file systems)");
  expect(line).toContain("in this machine's network (only root may make a network)");
  expect(line).toContain("not frozen between calls");
  expect(line).not.toContain("\n");
});

/** By the clock that Python's time.monotonic has as well. */
function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A process that ended may wait to be reaped by whoever adopted it. */
function isRunning(pid: number): boolean {
  try {
    const [, state] = /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return state !== "Z" && state !== "X";
  } catch {
    return false;
  }
}
