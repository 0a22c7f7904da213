import { serviceOf } from "../../lib/contract/service-of.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { type CgroupRoot, findCgroupRoot } from "../../lib/local/cgroup.ts";
import type { LocalSession } from "../../lib/local/local-session.ts";
import { describeMachine } from "../../lib/local/machine.ts";
import { measureFloor } from "../../lib/local/measure-floor.ts";
import type { Valgrind } from "../../lib/toolchain/valgrind.ts";
import type { Progress } from "../progress.ts";
import type { CostBasis } from "./cost-basis.ts";
import { instrumentFloor } from "./instrument-floor.ts";
import type { LocalFacts } from "./local-manifest.ts";
import { networkText } from "./network-choice.ts";
import { requireValgrind } from "./require-valgrind.ts";

/** What was built, and with what. */
export interface BuiltTools {
  readonly pythonVersion: string;
}

/** A run whose functions are built. */
export interface ReadyRun {
  readonly plan: Plan;
  readonly built: BuiltTools;
  readonly costs: CostBasis;
  readonly progress: Progress;
}

/** What this machine has to measure with. */
export interface Instruments {
  readonly cgroupRoot?: CgroupRoot;
  readonly valgrind?: Valgrind;
}

/** Throws InvalidInput where instructions are to be counted and there is no valgrind. */
export function instrumentsFor({ instrumented }: Plan): Instruments {
  const valgrind = instrumented && requireValgrind();
  const cgroupRoot = findCgroupRoot();
  return {
    ...(cgroupRoot !== undefined && { cgroupRoot }),
    ...(valgrind !== undefined && { valgrind }),
  };
}

/** Says what the run measures with, and measures what that costs by itself. */
export async function localFacts(
  { target, transport }: LocalSession,
  { plan, built, costs, progress }: ReadyRun,
  { cgroupRoot, valgrind }: Instruments,
): Promise<LocalFacts> {
  const networkProfile = plan.network && networkText(plan.network, plan.seed);
  progress.say(`${serviceText(plan, transport)}; Python ${built.pythonVersion}`);
  if (networkProfile !== undefined) progress.say(`network: ${networkProfile}`);
  return {
    ...built,
    prices: costs.prices,
    floor: instrumentFloor(await measureFloor(target)),
    machine: {
      ...describeMachine(cgroupRoot),
      ...(transport !== undefined && { transport }),
      ...(networkProfile !== undefined && { networkProfile }),
    },
    ...(valgrind !== undefined && { valgrindVersion: valgrind.version }),
  };
}

function serviceText(plan: Plan, transport: string | undefined): string {
  const service = serviceOf(plan);
  if (service === undefined || transport === undefined) return "no service";
  return `${service}: ${service === "S3" ? "s3s" : "dynoxide"}, ${transport}`;
}
