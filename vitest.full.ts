import { defineConfig } from "vitest/config";

import { env, expect, setupFiles } from "./vitest.package.ts";

/** Tests that need more than Node: system packages such as LibreOffice, or tools fetched on the spot. */
export default defineConfig({
  resolve: { conditions: ["troupe-source"] },
  ssr: { resolve: { conditions: ["troupe-source"] } },
  test: {
    include: ["src/**/*.full-test.ts"],
    env,
    setupFiles,
    expect,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
