import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { describeShare, isBelowBar, killedShare } from "./killed-share.ts";

const file = join(projectPaths.root, "reports", "mutation", "mutation.json");
const share = killedShare(JSON.parse(readFileSync(file, "utf8")));
// The next room's share must not be this one's, should StrykerJS end without a report.
rmSync(file);
process.stdout.write(`${describeShare(share)}\n`);
if (isBelowBar(share)) process.exitCode = 1;
