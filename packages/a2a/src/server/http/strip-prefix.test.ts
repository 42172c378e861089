import { expect, it } from "vitest";

import { answering, scriptedAgent, withServed } from "../../testing/index.ts";

const agent = scriptedAgent(() => answering(["hello"]));
const version = { "A2A-Version": "1.0" };

it.each([
  "/team",
  "/team/rag",
  "/a2a",
  "/a2a/a2a",
  "/a2a/jsonrpc",
  "/a2a/jsonrpc-rag",
  "/a2a/jsonrpc/rag",
  "/a2a/rest",
  "/a2a/rest-rag",
  "/a2a/rest/rag",
  "/a2a/rest/tasks-rag",
  "/a2a/rest/v1",
])("an agent at %s is reached, whether the proxy passes that on or takes it away", async (prefix) => {
  await withServed({ agent, publicUrl: `https://a.example${prefix}` }, async ({ url }) => {
    for (const base of [url, `${url}${prefix}`]) {
      for (const path of ["/.well-known/agent-card.json", "/livez", "/readyz", "/a2a/rest/tasks"])
        expect([path, (await fetch(`${base}${path}`, { headers: version })).status]).toEqual([path, 200]);
      const call = {
        method: "POST",
        headers: { ...version, "Content-Type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} }),
      };
      for (const path of ["/a2a/jsonrpc", "/a2a/jsonrpc/", "/a2a/jsonrpc?x=1"])
        expect(await (await fetch(`${base}${path}`, call)).json()).toMatchObject({ result: { tasks: [] } });
      const old = await fetch(`${base}/a2a/rest/v1/tasks/none`, { headers: { "A2A-Version": "0.3" } });
      expect(await old.json()).toMatchObject({ code: -32001 });
    }
  });
});
