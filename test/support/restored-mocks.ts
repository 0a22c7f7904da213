import { afterEach, vi } from "vitest";

// Mocks and environment variables are reset after each test.
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
