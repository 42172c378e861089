import { nodeFetch } from "@troupe/core/node";
import { expect, it } from "vitest";

import { answering, collect, scriptedAgent, withServed } from "../testing/index.ts";
import { connectAgent } from "./connect-agent.ts";
import { isConnectionError } from "./errors.ts";

it("carries an agent's answer, and what does not answer is no connection", async () => {
  const { signal } = new AbortController();
  const url = await withServed({ agent: scriptedAgent(() => answering(["Wa", "ter."])) }, async (served) => {
    const remote = await connectAgent(served.url, { fetch: nodeFetch });
    const events = await collect(remote.stream({ text: "Go." }, { signal }));
    expect(events.at(-1)).toMatchObject({ type: "finish", response: { content: "Water." } });
    return served.url;
  });
  await expect(nodeFetch(url)).rejects.toSatisfy(isConnectionError);
  await expect(connectAgent(url, { fetch: nodeFetch })).rejects.toMatchObject({ code: "agent.unreachable" });
});
