import { availableParallelism } from "node:os";
import { openFunctionsForAws } from "../../lib/functions/functions-for-aws.ts";
import type { KelvinStackProps } from "../../lib/infra/kelvin-stack.ts";
import { parseStackProps, requireKnownContext } from "../../lib/infra/stack-context.ts";
import { findVariant } from "../../lib/plan/matrix.ts";
import { plural } from "../../lib/report/document/format.ts";
import { forecastBuild, listCargoBuilds } from "../../lib/toolchain/build-local.ts";
import { forecastText } from "../progress.ts";
import { readContext } from "./stack-name.ts";

/**
 * Parses the words of `kelvin deploy` and its functions file before the CDK starts, which would report the same
 * mistakes seconds later, as a failure of its app. Throws InvalidInput if they cannot be deployed.
 */
export async function readDeployed(
  args: readonly string[],
  functionsPath: string | undefined,
): Promise<KelvinStackProps> {
  const context = new Map(readContext(args));
  requireKnownContext([...context.keys()]);
  const functions =
    functionsPath === undefined ? undefined : await openFunctionsForAws(functionsPath);
  return parseStackProps((name) => context.get(name), functions);
}

/** Describes what a first deploy creates, what it builds before that, and how long the build takes. */
export function describeFirstDeploy({ experiments }: KelvinStackProps): readonly string[] {
  const functions = experiments.reduce((sum, { cells }) => sum + cells.length, 0);
  const ids = experiments.map(({ experiment }) => experiment.id).join(", ");
  const variants = experiments.flatMap(({ experiment, cells }) =>
    [...new Set(cells.map(({ variant }) => variant))].map((id) => findVariant(experiment, id)),
  );
  const cores = availableParallelism();
  const builds = listCargoBuilds(variants);
  const build = forecastText(forecastBuild(builds, { cores, isBuilt: () => false }), cores);
  return [
    `the first deploy of ${plural(functions, "measured function")} (${ids})`,
    ...(build === undefined ? ["nothing is compiled: the code is uploaded as it is"] : [build]),
  ];
}
