import type { PredictionStudies } from "../../lib/analysis/prediction.ts";
import studies from "../../lib/contract/prediction.json" with { type: "json" };
import { studyPage } from "./page.ts";

// This runs in a separate process because the model is fitted to the stored studies when it is loaded.
process.stdout.write(JSON.stringify(studyPage(studies as PredictionStudies)));
