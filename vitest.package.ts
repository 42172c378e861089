import { defineConfig } from "vitest/config";

/** What every package's vitest.config.ts re-exports: sources instead of dist, tests beside the file. */
export default defineConfig({
  resolve: { conditions: ["troupe-source"] },
  ssr: { resolve: { conditions: ["troupe-source"] } },
  test: { include: ["src/**/*.test.ts", "src/**/*.test.tsx"], testTimeout: 60_000, hookTimeout: 60_000 },
});
