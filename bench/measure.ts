import type { CellFailure, FunctionResult, Plan, Sample } from "../lib/contract/types/contract.ts";
import { dynamodb } from "../lib/experiments/dynamodb/definition.ts";
import { findCgroupRoot } from "../lib/local/cgroup.ts";
import { openLocalSession } from "../lib/local/local-session.ts";
import { floorCell } from "../lib/local/machine.ts";
import { expand, instrumentedPlan, withInstrumentedPart } from "../lib/plan/expand.ts";
import type { Experiment } from "../lib/plan/experiment.ts";
import { matrix } from "../lib/plan/matrix.ts";
import { runPlan } from "../lib/sampler/run-plan.ts";
import type { Recorder } from "../lib/sampler/sample-trial.ts";
import { noopBinary } from "../lib/toolchain/build-local.ts";
import type { Valgrind } from "../lib/toolchain/valgrind.ts";

export const defaultVariant = "rust";
export const tunedVariant = "rust-tuned";
/** Python is timed by the clock only: under callgrind its Init takes minutes. */
export const pythonVariant = "python";

/** The size at which the first request was slowest in the study. */
const memoryMb = 128;
const sizes = { cold: 6, warm: 60 };

const comparedIds = [defaultVariant, tunedVariant, pythonVariant];

/** The experiment dynamodb with one operation: the default build, the tuned build, and Python. */
export const compared: Experiment = {
  ...dynamodb,
  variants: dynamodb.variants.filter(({ id }) => comparedIds.includes(id)),
  warmOperations: ["get"],
};

/** The no-op function, which measures the rig's share of every figure. */
const nothing: Experiment = {
  ...dynamodb,
  id: floorCell.variant,
  variants: [
    {
      id: floorCell.variant,
      label: "noop",
      language: "rust",
      runtime: floorCell.runtime,
      source: { kind: "cargo", ...noopBinary },
    },
  ],
  coldOperation: "noop",
  warmOperations: ["noop"],
};

/** Measures every sample of the comparison, timed and counted. Throws if a call fails. */
export async function measure(
  valgrind: Valgrind,
  onSample: (sample: Sample) => void,
): Promise<readonly Sample[]> {
  const cgroupRoot = findCgroupRoot();
  const session = await openLocalSession(compared, {
    timeoutSeconds: compared.timeoutSeconds,
    plainHttp: false,
    seed: 0,
    valgrind,
    ...(cgroupRoot !== undefined && { cgroupRoot }),
  });
  const { target, instrumentedTarget } = session;
  const samples: Sample[] = [];
  const recorder = strictRecorder(samples, onSample);
  try {
    const plans = [planOf(compared), planOf(nothing)];
    for (const plan of plans) await runPlan(plan, target, recorder);
    for (const counted of plans.map(instrumentedPlan)) {
      if (counted === undefined || instrumentedTarget === undefined) continue;
      await runPlan(counted, instrumentedTarget, recorder);
    }
  } finally {
    await session.close();
  }
  return samples;
}

function planOf(experiment: Experiment): Plan {
  const variants = experiment.variants.map(({ id }) => id);
  const architectures = [floorCell.architecture];
  const cells = matrix(experiment, { variants, memoryMb: [memoryMb], architectures });
  const plan = expand(
    experiment,
    cells.filter(({ replicaOf }) => replicaOf === undefined),
    {
      runId: "first-request",
      target: "local",
      createdAt: new Date().toISOString(),
      seed: 1,
      preset: "quick",
      lanes: 1,
      ...sizes,
    },
  );
  return countedInRust(withInstrumentedPart(plan));
}

function countedInRust({ instrumented, ...plan }: Plan): Plan {
  if (instrumented === undefined) return plan;
  const isPython = (cellId: string) =>
    plan.cells.some(({ id, variant }) => id === cellId && variant === pythonVariant);
  const blocks = instrumented.blocks.map((block) => ({
    ...block,
    trials: block.trials.filter(({ cellId }) => !isPython(cellId)),
  }));
  return { ...plan, instrumented: { ...instrumented, blocks } };
}

function strictRecorder(samples: Sample[], onSample: (sample: Sample) => void): Recorder {
  return {
    sample: async (sample) => {
      const { warmupError } = (sample.result ?? {}) as Partial<FunctionResult>;
      if (warmupError !== undefined) {
        throw new Error(`${sample.cell.variant}: its warm-up call failed with ${warmupError}`);
      }
      samples.push(sample);
      onSample(sample);
    },
    failure: async ({ cellId, type, message }: CellFailure) => {
      throw new Error(`${cellId}: ${type}: ${message}`);
    },
  };
}
