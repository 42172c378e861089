// One agent as an A2A server, called by the A2A SDK's own client and by ours.
import assert from "node:assert/strict";

import { Role, TaskState } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";
import { connectAgent, type OutgoingCall } from "@troupe/a2a/client";
import { serveAgent } from "@troupe/a2a/server";
import { guardedFetch } from "@troupe/core/node";

import { localAgent } from "./support/local-agent.ts";

const served = await serveAgent({ agent: localAgent("echo-agent", (text) => `You said: ${text}`) });
try {
  const client = await new ClientFactory().createFromUrl(served.url);
  const stream = client.sendMessageStream({
    tenant: "",
    configuration: undefined,
    metadata: undefined,
    message: {
      messageId: crypto.randomUUID(),
      contextId: "",
      taskId: "",
      role: Role.ROLE_USER,
      parts: [
        { content: { $case: "text", value: "hello" }, metadata: undefined, filename: "", mediaType: "" },
      ],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
  });
  const names: string[] = [];
  let state: TaskState | undefined;
  for await (const { payload } of stream) {
    if (payload?.$case === "artifactUpdate") names.push(payload.value.artifact?.name ?? "");
    if (payload?.$case === "statusUpdate") state = payload.value.status?.state;
  }
  process.stdout.write(`${[...new Set(names)].join(", ")}\n`);
  assert.equal(names.at(-1), "final_result");
  assert.equal(state, TaskState.TASK_STATE_COMPLETED);

  // The same agent through our client: typed events, the same as in its own process.
  const remote = await connectAgent(served.url);
  const signal = AbortSignal.timeout(10_000);
  for await (const event of remote.stream({ text: "hello again" }, { signal })) {
    if (event.type === "finish") assert.equal(event.response.content, "You said: hello again");
  }

  // An address that somebody else has chosen is called at public addresses only, and at what is named.
  const fetch = guardedFetch({ allow: [served.url] });
  const guarded = await connectAgent(served.url, { fetch });
  assert.equal(guarded.profile.name, "echo-agent");
  await assert.rejects(connectAgent(served.url, { fetch: guardedFetch() }));
} finally {
  await served.close();
}

// An agent that asks who calls, by a key.
const key = "k-1234";
const closed = await serveAgent({
  agent: localAgent("closed-agent", (text) => `Yours: ${text}`),
  authenticate: ({ "x-api-key": given, authorization }) =>
    Promise.resolve(
      given === key || authorization === `Bearer ${key}` ? { id: "ann", scopes: ["*"] } : undefined,
    ),
  security: {
    schemes: { key: { apiKeySecurityScheme: { location: "header", name: "x-api-key" } } },
    requirements: [{ key: [] }],
  },
});
try {
  const known = await connectAgent(closed.url, { headers: { "x-api-key": key } });

  const headers = ({ authenticates }: OutgoingCall): Record<string, string> =>
    authenticates ? { Authorization: `Bearer ${key}` } : {};
  const asked = await connectAgent(closed.url, { headers });

  const signal = AbortSignal.timeout(10_000);
  for (const remote of [known, asked]) assert.ok((await remote.send({ text: "hi" }, { signal })).taskId);
  const stranger = await connectAgent(closed.url);
  await assert.rejects(stranger.send({ text: "hi" }, { signal }), { code: "agent.unauthenticated" });
} finally {
  await closed.close();
}
