import { fileURLToPath } from "node:url";

import { rolldown } from "rolldown";
import { expect, it } from "vitest";

it("is bundled for a browser with nothing of Node, and with no React of its own", async () => {
  const warnings: string[] = [];
  const bundle = await rolldown({
    input: fileURLToPath(new URL("./index.ts", import.meta.url)),
    platform: "browser",
    external: ["react"],
    resolve: { conditionNames: ["troupe-source", "browser", "import", "default"] },
    onLog: (_level, log) => warnings.push(log.message),
  });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  await bundle.close();
  expect(warnings).toEqual([]);
  // What a chunk still imports would have to come from the page.
  expect(output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.imports : []))).toEqual(["react"]);
});
