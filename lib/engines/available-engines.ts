import { InvalidInput } from "../contract/errors.ts";
import type { Engine } from "../studies/emulators/definition.ts";
import { engineKinds } from "./engine-kinds.ts";

interface AvailableEngines {
  readonly engines: readonly Engine[];
  /** Engines that cannot be had here, each with its reason. */
  readonly leftOut: readonly string[];
}

/** The engines that can be had on this machine; throws InvalidInput if there is none. */
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
