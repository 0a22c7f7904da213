import fc from "fast-check";
import { isRelease } from "../e2e/support/release.ts";

// `npm test` draws the same cases every time, so that a commit passes or fails for what it changed;
// `npm run test:release` draws new ones, and fast-check prints the seed of a case that fails.
if (!isRelease) fc.configureGlobal({ seed: 20_261_125 });
