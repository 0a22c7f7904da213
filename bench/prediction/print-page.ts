import type { PredictionStudies } from "../../lib/analysis/prediction.ts";
import studies from "../../lib/contract/prediction.json" with { type: "json" };
import { studyPage } from "./page.ts";

// A separate process reads the studies as then stored: the model is fitted to them when it is loaded.
process.stdout.write(JSON.stringify(studyPage(studies as PredictionStudies)));
