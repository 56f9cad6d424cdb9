import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  test: {
    include: ["test/**/*.test.ts", "src/views/*/*.test.ts"],
    exclude: ["test/browser/**", "test/app/**"],
    environment: "node",
  },
});
