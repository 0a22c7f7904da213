import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { StandinService } from "../toolchain/build-local.ts";
import { commandEnvironment } from "../toolchain/command-environment.ts";

/** A service of AWS on this machine's loopback, behind TLS 1.3 unless plain HTTP was asked for. */
export interface Standin {
  readonly endpoint: string;
  /** PEM file of the only root to trust; absent under plain HTTP. */
  readonly rootCertificate?: string;
  readonly transport: string;
  stop(): Promise<void>;
}

export interface StandinOptions {
  readonly binary: string;
  readonly service: StandinService;
  /** Where the certificate chain is made and kept. */
  readonly tlsDirectory: string;
  readonly plainHttp: boolean;
  /** Of the service alone. @default none */
  readonly args?: readonly string[];
}

interface Ready {
  readonly endpoint: string;
  readonly rootCertificate?: string;
}

/** Starts the stand-in and waits for its ready line. It ends with this process: its stdin closes. */
export async function startStandin(options: StandinOptions): Promise<Standin> {
  const { binary, service, tlsDirectory, plainHttp, args = [] } = options;
  const transportArgs = plainHttp ? ["--plain-http"] : ["--tls-directory", tlsDirectory];
  const child = spawn(binary, [...transportArgs, ...args], {
    env: commandEnvironment("service"),
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the ${service} stand-in ended with ${code}`)));
    createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line)));
  });
  return {
    ...ready,
    transport: plainHttp ? "plain HTTP on loopback" : "TLS 1.3 on loopback",
    stop: async () => {
      child.stdin.end();
      child.kill("SIGTERM");
      await exited;
    },
  };
}
