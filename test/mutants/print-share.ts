import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { describeShare, killedShare } from "./killed-share.ts";

const file = join(projectPaths.root, "reports", "mutation", "mutation.json");
const share = killedShare(JSON.parse(readFileSync(file, "utf8")));
// The next room's share must not be this one's, should StrykerJS end without a report.
rmSync(file);
process.stdout.write(`${describeShare(share)}\n`);
// A draw below 90% may be chance; one whose whole interval is below it is not.
if (share.high < 0.9) process.exitCode = 1;
