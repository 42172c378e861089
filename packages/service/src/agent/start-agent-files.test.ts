import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog, systemClock } from "@troupe/core";
import { finishCall } from "@troupe/playbook";
import type { ArtifactRef } from "@troupe/stream";
import { expect, it, onTestFinished } from "vitest";

import { addKey } from "../auth/keys.ts";
import { agentSettings } from "./agent-settings.ts";
import { startAgent, type AgentDefinition } from "./start-agent.ts";

const agent: AgentDefinition = {
  config: {
    agent_type: "files",
    name: "files-agent",
    title: "Files",
    description: "Has files.",
    system_prompt: "Have files.",
  },
  playbook: () => ({ calls: [finishCall({ content: "Read.", complete: true })] }),
};

it("takes a person's file in, knows it in a message, and lends it by a link", async () => {
  const home = mkdtempSync(join(tmpdir(), "troupe-agent-files-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const served = await startAgent(agent, agentSettings(0).parse({ home, auth: "on" }), { log: silentLog });
  onTestFinished(() => served.close());
  const keyOf = (user: string): string =>
    addKey({ home, name: user, user, scopes: ["*"], clock: systemClock }).key;
  const [ann, bob] = [keyOf("ann"), keyOf("bob")];
  const ask = (path: string, key?: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (key !== undefined) headers.set("Authorization", `Bearer ${key}`);
    return fetch(new URL(path, served.url), { ...init, headers });
  };

  expect((await ask("/artifacts/a.csv", undefined, { method: "PUT", body: "a,b\n" })).status).toBe(401);
  const put = await ask("/artifacts/a.csv", ann, { method: "PUT", body: "a,b\n" });
  const file = (await put.json()) as ArtifactRef;
  expect(await (await ask(file.url)).text()).toBe("a,b\n");
  const { pathname } = new URL(file.url);
  expect((await ask(pathname)).status).toBe(401);
  expect((await ask(pathname, bob)).status).toBe(404);
  expect((await ask(pathname, ann)).status).toBe(200);
  expect(await (await ask("/artifacts", bob)).json()).toEqual({ files: [], next: "" });

  const send = async (key: string, messageId: string, part: object): Promise<unknown> => {
    const message = { messageId, role: "ROLE_USER", parts: [{ text: "What is in it?" }, part] };
    const init = { method: "POST", body: JSON.stringify({ message }) };
    const headers = { "Content-Type": "application/json", "A2A-Version": "1.0" };
    return (await ask("/a2a/rest/message:send", key, { ...init, headers })).json();
  };
  const known = { filename: "a.csv", metadata: { "urn:troupe:a2a:events:v1": { kind: "file" } } };
  expect(await send(ann, "1", { url: file.url })).toMatchObject({
    task: { history: [{ parts: [{}, known] }] },
  });
  const theirs = await send(bob, "1", { url: file.url });
  expect(JSON.stringify(theirs)).not.toContain('"kind":"file"');
  await send(bob, "2", { raw: Buffer.from("c,d\n").toString("base64"), filename: "b.csv" });
  expect(await (await ask("/artifacts", bob)).json()).toMatchObject({ files: [{ name: "b.csv", bytes: 4 }] });
});
