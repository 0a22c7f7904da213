import { roomContract } from "../../lib/contract/validate.ts";
import engineResult from "./schemas/engine-result.schema.json" with { type: "json" };
import micro from "./schemas/micro.schema.json" with { type: "json" };
import type { EngineResult, MicroBenchmarks } from "./types/contract.ts";

export const engineResultContract = roomContract<EngineResult>("engineResult", engineResult);
export const microContract = roomContract<MicroBenchmarks>("micro", micro);
