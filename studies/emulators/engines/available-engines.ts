import { InvalidInput } from "../../../lib/contract/errors.ts";
import type { Engine } from "../definition.ts";
import { engineKinds } from "./engine-kinds.ts";

interface AvailableEngines {
  readonly engines: readonly Engine[];
  /** Engines that are not available on this machine, each with the reason. */
  readonly leftOut: readonly string[];
}

/** Returns the engines that are available on this machine. Throws InvalidInput if there are none. */
export function availableEngines(
  chosen: readonly Engine[],
  asked: readonly string[] | undefined,
): AvailableEngines {
  const reasons = chosen.map(({ id }) => engineKinds[id]?.missing?.());
  const engines = chosen.filter((_, index) => reasons[index] === undefined);
  const leftOut = chosen.flatMap(({ label }, index) => {
    const reason = reasons[index];
    return reason === undefined ? [] : [`${label}: ${reason}`];
  });
  if (engines.length > 0) return { engines, leftOut };
  const allowed = `engines that are available here; ${leftOut.join("; ")}`;
  throw new InvalidInput("variants", asked, allowed);
}
