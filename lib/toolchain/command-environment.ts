import { closeSync } from "node:fs";
import { kernelNames, kernelText } from "../files/kernel-files.ts";

// A command that Kelvin starts inherits only the variables named here, and only standard input, output and error. A
// function's process inherits no variable at all (lib/local/function-process.ts).

/** Variable names, case-insensitive; a final `*` matches any characters. */
interface Allowed {
  readonly names: readonly string[];
  readonly why: string;
}

const base: Allowed = {
  names: ["PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ", "LANG", "LC_*"],
  why: "where programs, the user's files and temporary files are; how text is written",
};
const network: Allowed = {
  names: [
    ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"],
    ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NIX_SSL_CERT_FILE", "CURL_CA_BUNDLE"],
    ...["REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"],
  ],
  why: "how a registry is reached, and which roots it is verified by; a proxy's may hold its password",
};
const cache: Allowed = {
  names: ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"],
  why: "where a tool keeps what it downloaded, and its settings",
};
const compiler: Allowed = {
  names: [
    ...["CC", "CC_*", "CXX", "CXX_*", "AR", "AR_*", "CFLAGS", "CFLAGS_*", "CXXFLAGS", "CXXFLAGS_*"],
    ...["CMAKE", "CMAKE_*", "PKG_CONFIG", "PKG_CONFIG_*", "LIBCLANG_PATH", "LD_LIBRARY_PATH"],
    ...["LIBRARY_PATH", "CPATH", "SDKROOT", "DEVELOPER_DIR", "MACOSX_DEPLOYMENT_TARGET", "NIX_*"],
    ...["ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR", "SCCACHE_DIR", "CCACHE_DIR"],
  ],
  why: "the C compiler, its libraries and its cache: crates compile C",
};
const rustup: Allowed = {
  names: ["RUSTUP_*", "CARGO_HOME"],
  why: "where Rust's toolchains are, which of them is used, and from where one is installed",
};
const cargo: Allowed = {
  names: [
    ...["CARGO_TARGET_DIR", "CARGO_TARGET_*", "CARGO_BUILD_*", "CARGO_INCREMENTAL", "CARGO_TERM_*"],
    ...["CARGO_NET_*", "CARGO_HTTP_*", "CARGO_REGISTRIES_*", "CARGO_REGISTRY_*", "CARGO_SOURCE_*"],
    ...[
      "RUSTC",
      "RUSTC_WRAPPER",
      "RUSTC_WORKSPACE_WRAPPER",
      "RUSTFLAGS",
      "CARGO_ENCODED_RUSTFLAGS",
    ],
    ...["RUST_BACKTRACE"],
  ],
  why: "where cargo builds, and from where it takes crates; https://doc.rust-lang.org/cargo/reference/environment-variables.html",
};
const python: Allowed = { names: ["PYENV_*"], why: "which Python the commands of pyenv are" };
const pip: Allowed = {
  names: ["PIP_*"],
  why: "from where pip takes packages; https://pip.pypa.io/en/stable/topics/configuration/#environment-variables",
};
const npm: Allowed = {
  names: ["NPM_CONFIG_*"],
  why: "from where npm takes packages; https://docs.npmjs.com/cli/v11/using-npm/config#environment-variables",
};
const java: Allowed = { names: ["JAVA_HOME"], why: "which Java the command `java` may be" };
const maven: Allowed = {
  names: ["MAVEN_OPTS", "MAVEN_ARGS", "MAVEN_HOME", "M2_HOME", "JAVA_TOOL_OPTIONS"],
  why: "from where Maven takes packages: Java learns of a proxy and its roots only by options",
};
const system: Allowed = { names: ["DEBIAN_FRONTEND"], why: "whether apt-get asks questions" };
const docker: Allowed = {
  names: ["DOCKER_*", "XDG_RUNTIME_DIR"],
  why: "where Docker listens, and what it is logged in by: it pulls the image",
};
const localstack: Allowed = {
  names: ["LOCALSTACK_*", "LOCALSTACK_AUTH_TOKEN"],
  why: "its settings, and the token without which it starts nothing",
};
const account: Allowed = {
  names: [
    ...[
      "AWS_*",
      "CDK_*",
      "CONTEXT_OVERFLOW_LOCATION",
      "AWS_ACCESS_KEY_ID",
      "AWS_SECRET_ACCESS_KEY",
      "AWS_SESSION_TOKEN",
    ],
    ...["AWS_SHARED_CREDENTIALS_FILE", "AWS_WEB_IDENTITY_TOKEN_FILE"],
    ...["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"],
    ...["AWS_CONTAINER_AUTHORIZATION_TOKEN", "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"],
  ],
  why: "whose account and which region, and what the CDK tells its app; https://docs.aws.amazon.com/sdkref/latest/guide/environment-variables.html",
};
const terminal: Allowed = {
  names: ["TERM", "COLUMNS", "NO_COLOR", "FORCE_COLOR", "CI"],
  why: "what the terminal can show, and whether somebody answers there",
};
const tests: Allowed = {
  names: ["CI", "KELVIN_TESTS", "PLAYWRIGHT_*"],
  why: "how much is tested, and with which browser",
};

const purposes = {
  /** Small system tools: git, ps, valgrind. */
  tool: [base],
  /** Emulated services and compared engines: nothing that changes how they run. */
  service: [base],
  java: [base, java],
  container: [base, network, docker, localstack],
  apt: [base, network, system],
  python: [base, python],
  pip: [base, network, cache, python, pip, compiler],
  npm: [base, network, cache, npm],
  maven: [base, network, java, maven],
  /** cargo, rustc and rustup. cargo-lambda uses Python to find zig. */
  rust: [base, network, cache, compiler, rustup, cargo, python],
  /** The CDK app, which builds the functions. The CDK's command itself inherits everything. */
  cdkApp: [base, network, cache, compiler, rustup, cargo, python, pip, npm, account, terminal],
  /** The whole project, from `npm ci` to its tests. */
  project: [
    ...[base, network, cache, compiler, rustup, cargo, python, pip, npm, java, maven, system],
    tests,
  ],
} as const satisfies Readonly<Record<string, readonly Allowed[]>>;

/** What a command is started for. */
export type CommandPurpose = keyof typeof purposes;

/** No `*` matches these: tools keep registry passwords in their own files. */
const secretName = /token|secret|passw|passphrase|credential|_auth|api_?key|private/i;

/** Returns the caller's variables that a command for this purpose inherits. */
export function commandEnvironment(
  purpose: CommandPurpose,
  caller: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const allowed = purposes[purpose].flatMap(({ names }) => names);
  const exact = new Set(allowed.filter((name) => !name.endsWith("*")));
  const prefixes = allowed.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(caller)) {
    const upper = name.toUpperCase();
    const isMeant = !secretName.test(name) && prefixes.some((prefix) => upper.startsWith(prefix));
    if (value !== undefined && (exact.has(upper) || isMeant)) kept[name] = value;
  }
  return kept;
}

/**
 * Returns the caller's whole environment, for the CDK's command only: a credential_process may need any variable,
 * such as a password manager's socket.
 */
export function wholeEnvironment(caller: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...caller };
}

/** Removes from this process's environment what a command for this purpose would not inherit. */
export function keepEnvironmentFor(purpose: CommandPurpose): void {
  const kept = commandEnvironment(purpose);
  for (const name of Object.keys(process.env)) {
    if (!(name in kept)) delete process.env[name];
  }
}

/** O_CLOEXEC in the octal `flags` of /proc/self/fdinfo: proc_pid_fdinfo(5). */
const closedOnExec = 0o2000000;

/**
 * Closes and returns the descriptors, except the three standard ones, that this process inherited and its children
 * would too. Node.js marks those that it opens and the first inherited ones:
 * https://docs.libuv.org/en/v1.x/process.html#c.uv_disable_stdio_inheritance. Works only on Linux. Must be called
 * before the first child starts and after any `/dev/fd/63` on the command line was read.
 */
export function closeInheritedDescriptors(): readonly number[] {
  const open = kernelNames("/proc/self/fdinfo").map(Number);
  const inherited = open.filter((fd) => fd > 2 && isInheritable(fd));
  for (const fd of inherited) closeSync(fd);
  return inherited;
}

/** Returns false for the descriptor by which the folder was listed: it is gone. */
function isInheritable(fd: number): boolean {
  const [, flags] = /^flags:\s*([0-7]+)$/m.exec(kernelText(`/proc/self/fdinfo/${fd}`)) ?? [];
  return flags !== undefined && (Number.parseInt(flags, 8) & closedOnExec) === 0;
}
