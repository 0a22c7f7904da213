import published from "../../contract/published.json" with { type: "json" };
import type { Cell, Plan } from "../../contract/types/contract.ts";

/** One series' published figures; absent where the source gives none. */
export interface PublishedSeries {
  readonly initDurationMs?: number;
  readonly durationMs?: number;
  readonly sdkCallMs?: number;
  readonly billedDurationMs?: number;
  readonly maxMemoryUsedMb?: number;
  /** Single runs, where the source prints those and no mean. */
  readonly durationRunsMs?: readonly number[];
  /** Python over Rust. */
  readonly durationRatio?: number;
  readonly sdkCallRatio?: number;
}

/** A source's figures for one experiment. They stand beside what was measured, in no statistic. */
export interface PublishedFigures {
  readonly source: string;
  readonly conditions: Readonly<Record<string, string | number>>;
  readonly rustPackageMb: { readonly withSdk: number; readonly withoutSdk: number };
  /** Lead of Rust over Python without any SDK, by the same source. */
  readonly leadWithoutSdk: number;
}

const { dynamodb, compute } = published;
type Operation = keyof typeof dynamodb.warmDurationMs;
type Published = "rust" | "python";

/** Where the published figures were measured. */
export function publishedFigures(experiment: string): PublishedFigures | undefined {
  if (experiment !== "dynamodb") return undefined;
  const { source, conditions, rustPackageMb } = dynamodb;
  return {
    source,
    conditions,
    rustPackageMb,
    leadWithoutSdk: compute.pythonToRustDurationRatio,
  };
}

/**
 * The figures of the same variant, memory size, phase and operation. On AWS the architecture must
 * be the source's too; elsewhere no absolute figure is comparable anyway, and the report says so.
 */
export function publishedSeries(
  plan: Pick<Plan, "experiment" | "target">,
  cell: Cell,
  operation: string,
  phase: "cold" | "second" | "warm",
): PublishedSeries | undefined {
  const { conditions } = dynamodb;
  const isSameMachine = plan.target !== "aws" || cell.architecture === conditions.architecture;
  if (plan.experiment !== "dynamodb" || cell.memoryMb !== conditions.memoryMb) return undefined;
  if (!isSameMachine || (cell.variant !== "rust" && cell.variant !== "python")) return undefined;
  if (phase === "warm") return warm(cell.variant, operation);
  if (operation !== "get") return undefined;
  return phase === "cold" ? cold(cell.variant) : second(cell.variant);
}

function cold(variant: Published): PublishedSeries {
  const { firstDurationMs, ...rest } = dynamodb.coldStartGet[variant];
  return { ...rest, durationMs: firstDurationMs };
}

function second(variant: Published): PublishedSeries | undefined {
  if (variant !== "rust") return undefined;
  const durationRunsMs = dynamodb.coldStartGetRustRuns.flatMap((run) =>
    run.secondDurationMs === undefined ? [] : [run.secondDurationMs],
  );
  return { durationRunsMs };
}

function warm(variant: Published, operation: string): PublishedSeries | undefined {
  if (!Object.hasOwn(dynamodb.warmDurationMs, operation)) return undefined;
  const duration = dynamodb.warmDurationMs[operation as Operation];
  const sdkCall = dynamodb.warmSdkCallMs[operation as Operation];
  return {
    durationMs: duration[variant],
    sdkCallMs: sdkCall[variant],
    ...(variant === "python" && { durationRatio: duration.ratio, sdkCallRatio: sdkCall.ratio }),
  };
}
