import { defineConfig } from "vitest/config";

/**
 * Playwright drives Debian's Chromium; one file after the other, for machines with few
 * processors, which may need more than the usual second for a picture.
 */
export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    environment: "node",
    fileParallelism: false,
    testTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
  },
});
