import type { PredictionStudies } from "../../lib/analysis/prediction.ts";
import studies from "../../lib/contract/prediction.json" with { type: "json" };
import { studyPage } from "./page.ts";

// A process of its own reads the studies as they are stored by then: the model is fitted to them when it is loaded.
process.stdout.write(JSON.stringify(studyPage(studies as PredictionStudies)));
