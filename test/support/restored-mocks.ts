import { afterEach, vi } from "vitest";

// What a test replaced or set is as it was for the next one.
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
