import { it } from "vitest";

import { sameAsMemory } from "../random-histories.ts";
import { openSqliteTaskStore } from "./sqlite-task-store.ts";

it("keeps and drops what the store in memory keeps and drops, whatever happens", async () => {
  await sameAsMemory(async (settings) => openSqliteTaskStore({ path: ":memory:", ...settings }), 100);
});
