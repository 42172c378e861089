import { memoryArtifactStore } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { answering, scriptedAgent, withServed } from "../testing/index.ts";
import { EXT } from "../wire/extension.ts";

const ID = "0123456789abcdef0123456789abcdef";
const csv = Buffer.from("a,b\n1,2\n");
const raw = { raw: csv.toString("base64"), filename: "q3.csv", mediaType: "text/csv" };
const authenticate = ({ authorization }: { readonly [name: string]: unknown }) =>
  Promise.resolve({ id: String(authorization), scopes: ["*"] });

let next = 0;
async function send(
  url: string,
  parts: readonly object[],
  who = "ann",
  more: object = {},
): Promise<Record<string, unknown>> {
  const message = { messageId: `m${next++}`, role: "ROLE_USER", parts, ...more };
  const answer = await fetch(`${url}/a2a/rest/message:send`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": "1.0", Authorization: who },
    body: JSON.stringify({ message }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

describe("a file in a message", () => {
  it("goes to the store when it comes by value, and the task keeps its address only", async () => {
    const files = memoryArtifactStore();
    const agent = scriptedAgent(() => answering(["read"]));
    await withServed({ agent, files, authenticate }, async ({ url }) => {
      const { task } = await send(url, [{ text: "What does it say?" }, raw]);
      const [given] = agent.requests[0]?.files ?? [];
      expect(given).toMatchObject({ name: "q3.csv", mediaType: "text/csv", bytes: csv.length });
      expect(await files.get(given?.id ?? "", "ann")).toBeDefined();
      expect(task).toMatchObject({ history: [{ parts: [{}, { url: given?.url, filename: "q3.csv" }] }] });
      expect(JSON.stringify(task)).not.toContain(raw.raw);
    });
  });

  it("is not kept of a message that is refused", async () => {
    const files = memoryArtifactStore();
    const agent = scriptedAgent(() => answering(["read"]));
    await withServed({ agent, files, authenticate }, async ({ url }) => {
      const long = "i".repeat(257);
      for (const [more, code] of [
        [{ taskId: "of-nobody" }, 404],
        [{ taskId: long }, 404],
        [{ messageId: long }, 400],
        [{ contextId: long }, 400],
        [{ role: "ROLE_AGENT" }, 400],
        [{ metadata: Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`k${i}`, 0])) }, 400],
      ] as const) {
        const refused = await send(url, [raw], "ann", more);
        expect(refused).toMatchObject({ error: { code } });
        expect(JSON.stringify(refused)).not.toContain(long);
      }
      expect((await files.list("ann", { limit: 9 })).files).toEqual([]);
    });
  });

  it("is known by its address when it is in the store, to its owner only", async () => {
    const kept = memoryArtifactStore({ newId: () => ID });
    await kept.put(csv, { name: "q3.csv", mediaType: "text/csv", owner: "ann" });
    const agent = scriptedAgent(() => answering(["read"]));
    await withServed({ agent, files: kept, authenticate }, async ({ url }) => {
      const part = { url: `http://127.0.0.1:1/artifacts/${ID}/q3.csv` };
      await send(url, [part], "ann");
      await send(url, [part], "bob");
      expect(agent.requests.map(({ files }) => files?.map(({ id }) => id))).toEqual([[ID], undefined]);
    });
  });

  it("is not what a caller says is one of ours", async () => {
    const agent = scriptedAgent(() => answering(["read"]));
    await withServed({ agent, files: memoryArtifactStore() }, async ({ url }) => {
      const file = {
        id: ID,
        name: "x",
        mediaType: "x/y",
        bytes: 1,
        sha256: "0".repeat(64),
        url: "file:///etc",
      };
      const metadata = { [EXT]: { v: 1, kind: "file", file }, own: 1 };
      await send(url, [
        { url: "https://example.com/x", metadata },
        { text: "hi", metadata },
      ]);
      expect(agent.requests[0]?.files).toBeUndefined();
    });
  });

  it.each(["javascript:alert(1)", "file:///etc/passwd", "data:text/plain,x", "/artifacts/x", "s3://b/k"])(
    "is refused at the address %s",
    async (address) => {
      const agent = scriptedAgent(() => answering(["read"]));
      await withServed({ agent }, async ({ url }) => {
        expect(await send(url, [{ text: "Read it." }, { url: address }])).toMatchObject({
          error: { code: 400, message: `message.parts[1].url "${address}" is not an http or https address.` },
        });
        expect(agent.requests).toHaveLength(0);
      });
    },
  );

  it("is told of in the last status where it was not read, and to the agent", async () => {
    const agent = scriptedAgent(() => answering(["read"]));
    const note =
      "The file a.pdf (https://example.com/a.pdf) was not read: this agent fetches nothing from addresses in messages.";
    await withServed({ agent, files: memoryArtifactStore() }, async ({ url }) => {
      const part = { url: "https://example.com/a.pdf", filename: "a.pdf" };
      const { task } = await send(url, [{ text: "Read it." }, part, raw]);
      expect(task).toMatchObject({ status: { message: { parts: [{ text: `Completed.\n${note}` }] } } });
      expect(agent.requests[0]?.unreadFiles).toEqual([{ name: "a.pdf", url: part.url }]);
    });
  });

  it("is refused by value where there is no store, and nothing is begun", async () => {
    const agent = scriptedAgent(() => answering(["read"]));
    await withServed({ agent }, async ({ url }) => {
      expect(await send(url, [raw])).toMatchObject({
        error: {
          message: expect.stringContaining(
            "this agent reads no files; send what it needs to know as text",
          ) as unknown,
          details: [{ reason: "CONTENT_TYPE_NOT_SUPPORTED" }],
        },
      });
      expect(agent.requests).toHaveLength(0);
    });
  });
});
