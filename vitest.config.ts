import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// The engines field says which Node is needed; the SDK would say it again in every worker.
const env = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" };
const globalSetup = ["test/support/temporary-folder.ts"];
const setupFiles = ["test/support/property-seed.ts", "test/support/restored-mocks.ts"];
const slow = ["test/e2e/**/*.test.ts", "studies/*/test/e2e/**/*.test.ts"];
const foreign = ["**/node_modules/**", "**/.stryker-tmp/**"];
/** Unit tests that another step of `npm test` runs. */
const elsewhere = process.env.KELVIN_TESTED_ELSEWHERE?.split(",") ?? [];
const e2e = (...names: readonly string[]) => names.map((name) => `test/e2e/${name}.test.ts`);
/** They run no measured function, and need no build. */
const proofs = e2e(
  "building",
  "cdk-validation",
  "coverage-study",
  "fetch-and-report",
  "gate-study",
  "outcome-study",
  "imported-log-coverage",
  "installed-package",
  "large-input",
  "large-run",
  "limits",
  "measured-units",
  "ratio-time",
  "report-in-browser",
  "size-study",
  "states-language",
  "static-proof",
);
const deploys = e2e("deploy-*");
/** They run functions and hold no time of theirs against another: what else goes on does not matter. */
const runs = e2e(
  "adding-an-experiment",
  "all-experiments",
  "artefacts",
  "counted-run",
  "emulated-data",
  "first-request-bench",
  "instructions-bench",
  "killed-run",
  "macos",
  "measure",
  "services-package",
  "stopped-run",
  "without-rust",
).concat("studies/emulators/test/e2e/emulators.test.ts");
export default defineConfig({
  test: {
    // Under node_modules: what did not change since the run before is not transformed again.
    experimental: { fsModuleCache: true },
    // Vitest would leave one out, and of two take one.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: "unit",
          env,
          globalSetup,
          setupFiles,
          include: ["test/**/*.test.ts", "studies/*/test/**/*.test.ts"],
          exclude: [...slow, ...foreign, ...elsewhere],
          // One module cache a worker: loading the CDK anew for every file took half of the time.
          isolate: false,
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
      endToEnd("e2e-proof", 1, proofs),
      endToEnd("e2e-run", 2, runs, { fileParallelism: true }),
      endToEnd("e2e-deploy", 3, deploys),
      endToEnd("e2e-measuring", 4, slow, { exclude: [...proofs, ...runs, ...deploys] }),
    ],
  },
});

interface EndToEndOptions {
  readonly exclude?: readonly string[];
  /** As many files at a time as there are cores. @default false: one */
  readonly fileParallelism?: boolean;
}

/** One such project at a time where several are run by one command. */
function endToEnd(
  name: string,
  groupOrder: number,
  include: readonly string[],
  { exclude = [], fileParallelism = false }: EndToEndOptions = {},
) {
  const patience = { testTimeout: 600_000, hookTimeout: 2_400_000, fileParallelism };
  // Other processes of the machine can disturb a real one: a test fails if it fails twice.
  const retry = 1;
  const files = { include: [...include], exclude: [...exclude] };
  return {
    test: {
      name,
      env,
      globalSetup,
      setupFiles,
      ...files,
      ...patience,
      retry,
      sequence: { groupOrder },
    },
  };
}
