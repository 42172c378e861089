import { describe, expect, it } from "vitest";

import { memoryEventLog, runLogContract } from "./index.ts";

describe("the event log in memory", () => {
  it.each(runLogContract({ shared: false }))("$name", async ({ run }) => {
    let time = 0;
    const open = async () => memoryEventLog(() => ++time);
    await expect(run({ open })).resolves.toBeUndefined();
  });
});
