import { groupBy } from "../contract/group-by.ts";
import { fitConstants, type Observation } from "./fit.ts";
import type { Work } from "./function-kind.ts";
import type { LocalCall } from "./local-times.ts";
import { type Constants, predictTimes } from "./model.ts";
import type { Source } from "./published-times.ts";

/** Kind of a claim. Errors differ between kinds. */
export interface ClaimKind {
  /** Init, the first Duration, both together, or a warm call's Duration. */
  readonly quantity: "init" | "first" | "cold" | "warm";
  readonly form: "time" | "ratio";
  readonly work: Work;
}

/** A prediction, and the published figure that it is compared with. */
export interface Claim {
  readonly kind: ClaimKind;
  readonly source: Source;
  readonly architecture: "arm64" | "x86_64";
  readonly memoryMb: number;
  readonly what: string;
  /** Milliseconds, or the ratio of two means. */
  readonly observed: number;
  readonly predicted: number;
  /** The local run's own figure, without the model. */
  readonly measured: number;
  /** True if no constant is fitted to the figure. */
  readonly isApart: boolean;
  /** The call whose time is claimed, or the two calls whose ratio is claimed, numerator first. */
  readonly calls: readonly LocalCall[];
}

/** One quantity of one call, as published, predicted and measured. */
interface Figure {
  readonly quantity: ClaimKind["quantity"];
  readonly observation: Observation;
  readonly observed: number;
  readonly predicted: number;
  readonly measured: number;
}

/** Returns every claim that the observations allow: each time, and each ratio of two functions that a source compares. */
export function listClaims(
  observations: readonly Observation[],
  constants: Constants,
): readonly Claim[] {
  const figures = observations.flatMap((observation) => listFigures(observation, constants));
  const comparable = groupBy(
    figures.filter(({ quantity }) => quantity === "cold" || quantity === "warm"),
    ({ quantity, observation: { published, machine } }) => {
      const { variant: _, ...place } = published.place;
      return JSON.stringify([quantity, published.source, published.architecture, place, machine]);
    },
  );
  return [...figures.map(timeClaim), ...[...comparable.values()].flatMap(ratioClaims)];
}

function listFigures(observation: Observation, constants: Constants): readonly Figure[] {
  const { published, local } = observation;
  const predicted = predictTimes(local, constants);
  const init = figure("init", published.initMs, predicted.initMs, local.initMs);
  const duration = figure(
    local.call === "warm" ? "warm" : "first",
    ...([published.durationMs, predicted.durationMs, local.durationMs] as const),
  );
  const cold =
    init === undefined || duration === undefined
      ? undefined
      : figure(
          "cold",
          init.observed + duration.observed,
          init.predicted + duration.predicted,
          init.measured + duration.measured,
        );
  return [init, duration, cold].flatMap((each) =>
    each === undefined ? [] : [{ ...each, observation }],
  );
}

function figure(
  quantity: Figure["quantity"],
  observed: number | undefined,
  predicted: number | undefined,
  measured: number | undefined,
): Omit<Figure, "observation"> | undefined {
  if (observed === undefined || predicted === undefined || measured === undefined) return undefined;
  return { quantity, observed, predicted, measured };
}

const quantityNames = {
  init: "Init",
  first: "first",
  cold: "Init and first",
  warm: "warm",
} as const;

function timeClaim({ quantity, observation, ...times }: Figure): Claim {
  const { place } = observation.published;
  return {
    ...sharedOf(observation),
    kind: { quantity, form: "time", work: observation.local.kind.work },
    what: `${place.experiment}, ${quantityNames[quantity]} \`${place.operation}\`, ${place.variant}`,
    calls: [observation.local],
    ...times,
  };
}

function sharedOf({ published }: Observation) {
  const { source, architecture, place, isApart = false } = published;
  return { source, architecture, memoryMb: place.memoryMb, isApart };
}

/** Returns the ratios of each function to the source's base: Python to Rust, parallel calls to serial ones. */
function ratioClaims(figures: readonly Figure[]): readonly Claim[] {
  const isBase = ({ observation: { published } }: Figure) =>
    ["rust", "python-serial"].includes(published.place.variant);
  const base = figures.find(isBase);
  if (base === undefined) return [];
  return figures.flatMap((each): readonly Claim[] => {
    if (each === base || isBase(each)) return [];
    const { place } = each.observation.published;
    const { quantity } = each;
    return [
      {
        ...sharedOf(each.observation),
        kind: { quantity, form: "ratio", work: each.observation.local.kind.work },
        what: `${place.experiment}, ${quantityNames[quantity]} \`${place.operation}\`, ${place.variant} over ${base.observation.published.place.variant}`,
        observed: each.observed / base.observed,
        predicted: each.predicted / base.predicted,
        measured: each.measured / base.measured,
        isApart: [each, base].some(({ observation }) => observation.published.isApart === true),
        calls: [each, base].map(({ observation }) => observation.local),
      },
    ];
  });
}

/** Returns the claims of each source, predicted with constants fitted only to the other sources. */
export function heldOutClaims(observations: readonly Observation[]): readonly Claim[] {
  return leaveOut(observations).flatMap(({ own, others }) => listClaims(own, fitConstants(others)));
}

/** Returns, for each source, its own observations and all others. */
export function leaveOut(
  observations: readonly Observation[],
): readonly { readonly own: readonly Observation[]; readonly others: readonly Observation[] }[] {
  const bySource = groupBy(observations, ({ published }) => published.source);
  return [...bySource].map(([source, own]) => ({
    own,
    others: observations.filter(({ published }) => published.source !== source),
  }));
}
