import { expect, it } from "vitest";

import type { ContractSettings } from "../../testing/index.ts";
import { sameAsMemory } from "../random-histories.ts";
import { openSqliteTaskStore } from "./sqlite-task-store.ts";

it("keeps and drops what the store in memory keeps and drops, whatever happens", async () => {
  const open = async (settings: ContractSettings) => openSqliteTaskStore({ path: ":memory:", ...settings });
  await expect(sameAsMemory(open, 100)).resolves.toBeUndefined();
});
