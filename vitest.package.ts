import { join } from "node:path";

import { defineConfig } from "vitest/config";

/** For the processes that tests start: what one of them compiled, the next does not compile again. */
export const env = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules", ".cache", "troupe", "compile"),
};

/** Before the tests of a file; a path of its own, as packages run from their own folder. */
export const setupFiles = [join(import.meta.dirname, "vitest.setup.ts")];

/** A loaded machine is slow: the default of one second fails polls that would have succeeded. */
export const expect = { poll: { timeout: 30_000 } };

/** What every package's vitest.config.ts re-exports: sources instead of dist, tests beside the file. */
export default defineConfig({
  resolve: { conditions: ["troupe-source"] },
  ssr: { resolve: { conditions: ["troupe-source"] } },
  test: {
    include: ["src/**/*.test.ts", "src/**/*.test.tsx"],
    env,
    setupFiles,
    // Nothing here keeps state in a module, and to load every module anew for each file takes longer than most tests.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect,
  },
});
