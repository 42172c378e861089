import { defineConfig } from "vitest/config";

/** What every package's vitest.config.ts re-exports: sources instead of dist, tests beside the file. */
export default defineConfig({
  resolve: { conditions: ["troupe-source"] },
  ssr: { resolve: { conditions: ["troupe-source"] } },
  test: {
    include: ["src/**/*.test.ts", "src/**/*.test.tsx"],
    // Nothing here keeps state in a module, and to load every module anew for each file takes longer than most tests.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
