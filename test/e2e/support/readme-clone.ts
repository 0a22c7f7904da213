import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectPaths } from "../../../lib/toolchain/project-paths.ts";
import { runCommand } from "../../../lib/toolchain/run-command.ts";
import { shellCommands } from "../../support/shell-commands.ts";
import { cloneRepository, sharedRustBuilds, shareFolders } from "./clone.ts";

const readme = readFileSync(join(projectPaths.root, "README.md"), "utf8");
/** Each of them once. */
const commands = [...new Set(shellCommands(readme))];

/** A clone in which the README's commands are run in their order. */
export class ReadmeClone {
  readonly folder: string;
  readonly #done = new Set<string>();

  /** @param parent an empty folder */
  constructor(parent: string) {
    this.find(/^git clone /);
    this.find(/^cd kelvin$/);
    this.folder = join(parent, "kelvin");
    mkdirSync(this.folder);
    cloneRepository(this.folder);
    // The only folder that takes a minute to install; `npm test` has done that.
    shareFolders(this.folder, ".venv");
  }

  /**
   * Runs the README's command with further words; returns what it printed. Throws if it fails.
   * @param environment variables beside those of a new user
   */
  async run(
    pattern: RegExp,
    words: readonly string[] = [],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const line = `${this.find(pattern)} "$@"`;
    const lines: string[] = [];
    await runCommand("bash", ["-c", line, "readme", ...words], {
      cwd: this.folder,
      env: { ...ownEnvironment(), ...sharedRustBuilds, ...environment },
      onLine: (each) => lines.push(each),
    });
    return lines.join("\n");
  }

  /** The README's commands that were not run, and those that were run before an earlier one. */
  remaining(): readonly string[] {
    const done = [...this.#done];
    return commands.filter((command, index) => done[index] !== command);
  }

  /** Returns the files and folders that a section names. */
  filesIn(section: string): readonly string[] {
    const [, text = ""] = new RegExp(`^## ${section}$(.*?)^## `, "ms").exec(readme) ?? [];
    return [...text.matchAll(/`([a-z]+(?:\.[a-z]+|\/))`/g)].map(([, name = ""]) => name);
  }

  /** Returns the only command of its kind, which is run from here on or by something else. */
  find(pattern: RegExp): string {
    const found = commands.filter((each) => pattern.test(each));
    const [command = ""] = found;
    if (found.length !== 1) throw new Error(`README: found ${found}; allowed: one like ${pattern}`);
    this.#done.add(command);
    return command;
  }
}

/** Neither what npm and Vitest add for the commands that they run, nor an AWS account. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const isForeign = (name: string) => /^(npm_|NODE_|VITEST|AWS_)/i.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name)));
}
