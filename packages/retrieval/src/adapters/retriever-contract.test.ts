import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { retrieverContract } from "../testing/retriever-contract.ts";
import { memoryIndex } from "../testing/memory-index.ts";
import { openIndex } from "./open-index.ts";

retrieverContract({
  name: "index store",
  open: memoryIndex,
});

retrieverContract({
  name: "openIndex",
  async open(collections) {
    const folder = mkdtempSync(join(tmpdir(), "contract-"));
    const index = await openIndex({ path: join(folder, "index.db") });
    for (const [collection, documents] of Object.entries(collections)) {
      mkdirSync(join(folder, collection));
      for (const [name, content] of Object.entries(documents))
        writeFileSync(join(folder, collection, name), content);
      await index.ingest([join(folder, collection)], { collection });
    }
    return {
      ...index,
      async close() {
        await index.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
});
