import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { machineNetwork } from "../../../lib/local/environment-network.ts";
import { isGroupGone, listensOnPort } from "../../../lib/local/loopback-peer.ts";
import { killNow } from "../../../lib/local/process-identity.ts";
import { newScratchFolder, sweepScratchFolders } from "../../../lib/local/scratch-folder.ts";

// Started behind test/support/as-macos.ts. Prints what it finds about processes, as JSON.

const [, , parent = ""] = process.argv;
const swept = sweepScratchFolders(parent);
newScratchFolder("functions", parent);
const sweptOfRunning = sweepScratchFolders(parent);

const shell = spawn("/bin/sh", ["-c", "sleep 60 & wait"], { detached: true });
const server = spawn(
  process.execPath,
  ["-e", 'require("node:net").createServer().listen(0, "127.0.0.1", () => console.log("up"))'],
  { detached: true },
);
await once(server.stdout, "data");
const ids = [shell, server].map(({ pid = 0 }) => pid) as [number, number];
const listens = await Promise.all(ids.map((pid) => listensOnPort(pid, machineNetwork.tables)));

shell.kill("SIGKILL");
await once(shell, "exit");
const isGoneWithItsLeader = await isGroupGone(ids[0]);
for (const pid of ids) killNow(-pid);
await once(server, "exit");
while (!(await isGroupGone(ids[0]))) await delay(5);
console.log(JSON.stringify({ swept, sweptOfRunning, listens, isGoneWithItsLeader }));
