import { silentLog, type RunnableAgent } from "@troupe/core";
import { runAgent } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { withWorkflows } from "./with-workflows.ts";

it("starts no workflows for callers who were authenticated: their rights end at the agent", async () => {
  const offered: boolean[] = [];
  const plain: RunnableAgent = {
    profile: { name: "a", title: "A", description: "", version: "1", skills: [] },
    // eslint-disable-next-line require-yield -- it only looks at what it is given
    async *run(_request, { workflows }) {
      offered.push(workflows !== undefined);
    },
  };
  const agent = withWorkflows(plain, "http://127.0.0.1:1", { log: silentLog });
  await runAgent(agent, { userId: "ann" });
  await runAgent(agent, { userId: "ann", scopes: ["agent:a"] });
  expect(offered).toEqual([true, false]);
});
