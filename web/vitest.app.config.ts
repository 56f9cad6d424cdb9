import { defineConfig } from "vitest/config";

/** The page of `cargo xtask web-app` in Debian's Chromium. */
export default defineConfig({
  test: {
    include: ["test/app/**/*.test.ts"],
    environment: "node",
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
