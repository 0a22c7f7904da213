import type { PredictionStudies } from "../../lib/analysis/prediction.ts";
import { heldOutClaims } from "../../lib/prediction/claims.ts";
import { measureSpread } from "../../lib/prediction/spread.ts";
import { observations } from "../../lib/prediction/study-calls.ts";
import { foundAfterwards } from "./found-afterwards.ts";
import { claimsCsv, heldOutTables } from "./held-out-table.ts";
import { runToRunTable } from "./run-to-run.ts";
import { figuresCsv, predictionTables } from "./table.ts";

/** The marked sections of docs/prediction.md, and the files next to it. */
export interface StudyPage {
  readonly tables: Readonly<Record<string, readonly string[]>>;
  readonly files: Readonly<Record<string, string>>;
}

export function studyPage(studies: PredictionStudies): StudyPage {
  const spread = measureSpread(heldOutClaims(observations));
  const found = foundAfterwards(studies.studies, observations, spread);
  return {
    tables: {
      ...predictionTables(studies),
      ...heldOutTables(observations, spread),
      ...found.tables,
      "run-to-run": runToRunTable(studies),
    },
    files: {
      "prediction-claims.csv": claimsCsv(observations),
      "prediction-found.csv": found.csv,
      "prediction-measured.csv": figuresCsv(studies),
    },
  };
}
