import { findNodeFor } from "../lib/toolchain/interpreters.ts";
import { arm64Runner } from "./support/arm64-runner.ts";
import { prepareCfnLint } from "./support/cfn-lint/cfn-lint.ts";
import { chromiumPath } from "./support/chromium.ts";
import { installedValgrind } from "./support/installed-valgrind.ts";
import { prepareLocalEmu } from "./support/localemu/localemu.ts";
import { prepareMiniStack } from "./support/ministack/ministack.ts";

// What the end-to-end tests would fetch themselves: each of them waits for the network, not for a core.
const say = (line: string) => void process.stdout.write(`${line}\n`);
await arm64Runner();
say("an arm64 processor");
say(`a browser: ${await chromiumPath()}`);
await installedValgrind();
say("valgrind");
for (const major of [20, 22, 24, 26]) await findNodeFor(`nodejs${major}.x`, { say });
say("Node.js 20 to 26");
for (const prepare of [prepareCfnLint, prepareMiniStack, prepareLocalEmu]) {
  await prepare();
  say(`${prepare.name.replace("prepare", "")}: ready`);
}
