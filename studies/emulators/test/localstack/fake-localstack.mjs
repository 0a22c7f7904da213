// Fakes LocalStack's CLI as documented, with a process instead of the container: it is not a child of the command
// that started it, has the container's name, and ends only by `localstack stop`.
// https://docs.localstack.cloud/aws/tooling/localstack-cli/
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { FAKE_LOCALSTACK: folder, FAKE_CONTAINER, LOCALSTACK_AUTH_TOKEN: token } = process.env;
const { GATEWAY_LISTEN = "0.0.0.0:4566", MAIN_CONTAINER_NAME: name = "localstack-main" } =
  process.env;
const words = process.argv.slice(2);
const container = join(folder, `${name}.pid`);

if (words[0] === "--version") {
  process.stdout.write("LocalStack CLI 4.9.0\n");
  process.exit(0);
}
const port = GATEWAY_LISTEN.split(":")[1];
appendFileSync(
  join(folder, "calls"),
  `${words.join(" ")} on ${GATEWAY_LISTEN.replace(port, "PORT")} as ${name.replace(port, "PORT")}\n`,
);
const isRunning = () => existsSync(container);

switch (words[0]) {
  case "start": {
    // The real CLI never prints the token. This output checks that Kelvin does not pass it on.
    process.stderr.write(`licence asked for with ${token}\n`);
    if (!token || token.startsWith("bad")) process.exit(1);
    const [program, ...args] = (FAKE_CONTAINER ?? "sleep 600").replace("PORT", port).split(" ");
    const child = spawn(program, args, { detached: true, stdio: "ignore" });
    writeFileSync(container, String(child.pid));
    if (words.includes("-d")) {
      child.unref();
      process.exit(0);
    }
    child.once("exit", (code) => process.exit(code ?? 1));
    break;
  }
  case "wait":
    process.exit(isRunning() ? 0 : 1);
    break;
  case "stop":
    if (!isRunning()) process.exit(1);
    process.kill(Number(readFileSync(container, "utf8")), "SIGKILL");
    rmSync(container);
    break;
  default:
    process.exit(2);
}
