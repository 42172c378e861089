import { defineConfig } from "vitest/config";

import { env, expect, setupFiles } from "./vitest.package.ts";

/** The whole repository in one run, for coverage; each package's own run uses vitest.package.ts. */
export default defineConfig({
  resolve: { conditions: ["troupe-source"] },
  ssr: { resolve: { conditions: ["troupe-source"] } },
  test: {
    include: ["packages/*/src/**/*.test.{ts,tsx}", "apps/*/src/**/*.test.{ts,tsx}"],
    env,
    setupFiles,
    expect,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.{ts,tsx}"],
      exclude: [
        "**/*.{test,full-test}.{ts,tsx}",
        "**/index.ts",
        // Run by the full tests alone: they start Restate servers, and a process to kill.
        "packages/workflow-restate/src/testing/{restate-server,restate-cluster,server-binary,mortal-orchestrator}.ts",
      ],
      reporter: ["text-summary", "json-summary"],
      thresholds: { lines: 85 },
    },
  },
});
