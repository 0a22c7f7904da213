import { describeError, InvalidInput } from "../contract/errors.ts";
import { fetchNode } from "./node-binaries.ts";

/** The CDK dropped Node.js 20 on 2026-10-30: https://docs.aws.amazon.com/cdk/v2/guide/node-versions.html */
const oldestMajor = 22;
const fetchedMajor = 24;

interface CdkNodeOptions {
  readonly say: (line: string) => void;
  /** @default this process's version */
  readonly version?: string;
  /** @default fetchNode */
  readonly fetch?: typeof fetchNode;
}

/**
 * Returns the Node.js that runs the CDK's command and its app: this one or, if the CDK no longer supports that, one
 * fetched with npm. Throws InvalidInput if that fails. Everything else in Kelvin runs on this Node.js.
 */
export async function cdkNode({
  say,
  version = process.versions.node,
  fetch = fetchNode,
}: CdkNodeOptions): Promise<string> {
  if (Number.parseInt(version, 10) >= oldestMajor) return process.execPath;
  try {
    const { command, version: other } = await fetch(fetchedMajor, { say });
    say(`the CDK runs on Node.js ${other}: it no longer supports ${version}`);
    return command;
  } catch (error) {
    const { message } = describeError(error);
    const allowed = `${oldestMajor} or later to deploy, which the CDK asks for since 2026-10-30; npm could not bring one: ${message}`;
    throw new InvalidInput("Node.js", version, allowed);
  }
}
