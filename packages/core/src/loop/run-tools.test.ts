import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import type { Tool } from "../ports/tool.ts";
import { gate } from "../testing/gate.ts";
import { eventsOf, finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";

const call = (name: string, text: string) => ({ name, arguments: { text } });
const ordered = (tool: Tool): Tool => ({ ...tool, idempotent: false, ordered: true });

function agentWith(tools: readonly Tool[], calls: readonly ReturnType<typeof call>[]) {
  const model = scriptedModel([{ calls }, { calls: [finishCall("Done.")] }]);
  return createAgent(testConfig, { model, tools });
}

describe("the calls of one round", () => {
  it("run at once when they only read", async () => {
    const both = gate();
    let running = 0;
    const read = echoTool("read", async (text) => {
      if (++running === 2) both.open();
      await both.opened;
      return { text };
    });
    const events = await runAgent(agentWith([read], [call("read", "a"), call("read", "b")]));
    expect(finishOf(events).outcome).toBe("completed");
  });

  it("run at once when they change something, unless order matters", async () => {
    const both = gate();
    let running = 0;
    const write: Tool = {
      ...echoTool("write", async (text) => {
        if (++running === 2) both.open();
        await both.opened;
        return { text };
      }),
      idempotent: false,
    };
    const events = await runAgent(agentWith([write], [call("write", "a"), call("write", "b")]));
    expect(finishOf(events).outcome).toBe("completed");
  });

  it("keep the order in which they were written when their tool asks for it", async () => {
    const log: string[] = [];
    const first = gate();
    const add = ordered(
      echoTool("add", async (text) => {
        log.push(`start ${text}`);
        if (text === "one") await first.opened;
        log.push(`end ${text}`);
        return { text };
      }),
    );
    // What needs no order does not wait for them: it lets the first one go on.
    const read = echoTool("read", (text) => {
      first.open();
      return { text };
    });
    const calls = [call("add", "one"), call("add", "two"), call("read", "x"), call("add", "three")];
    await runAgent(agentWith([add, read], calls));
    expect(log).toEqual(["start one", "end one", "start two", "end two", "start three", "end three"]);
  });

  it("go on after one of them that fails", async () => {
    const add = ordered(
      echoTool("add", (text) => {
        if (text === "bad") throw new Error("broken");
        return { text };
      }),
    );
    const events = await runAgent(agentWith([add], [call("add", "bad"), call("add", "good")]));
    expect(eventsOf(events, "tool-end").map((end) => end.status)).toEqual(["error", "ok"]);
  });

  it("never start when the run was canceled while they waited", async () => {
    const cancel = new AbortController();
    const log: string[] = [];
    const add = ordered(
      echoTool("add", (text) => {
        log.push(text);
        cancel.abort();
        return new Promise(() => undefined);
      }),
    );
    const events = await runAgent(
      agentWith([add], [call("add", "one"), call("add", "two")]),
      {},
      { signal: cancel.signal },
    );
    expect(log).toEqual(["one"]);
    expect(eventsOf(events, "tool-end").map((end) => end.status)).toEqual(["canceled", "canceled"]);
    expect(finishOf(events).outcome).toBe("canceled");
  });

  it("work for whoever was authenticated, whomever the delegation names", async () => {
    const delegation = {
      v: 1,
      objective: "",
      instruction: "Go.",
      expectedOutput: "",
      allowedTools: [],
      limits: {},
      userId: "bob",
      results: {},
    } as const;
    const users: (string | undefined)[] = [];
    const whose = echoTool("whose", (text, context) => {
      users.push(context.userId);
      return { text };
    });
    await runAgent(agentWith([whose], [call("whose", "a")]), { userId: "ann", delegation });
    await runAgent(agentWith([whose], [call("whose", "a")]), { delegation });
    expect(users).toEqual(["ann", "bob"]);
  });

  it("see the citations that calls before them found, under the run's numbers", async () => {
    const citation = {
      id: "x9",
      document: "Plan",
      source: "plan.md",
      collection: "c",
      chunkId: "k",
      quote: "q",
      start: 0,
      end: 1,
    };
    const search = echoTool("search", () => ({ text: "See [x9].", citations: [citation] }));
    const seen: string[] = [];
    const check = echoTool("check", (text, context) => {
      seen.push(...(context.citations ?? []).map((found) => found.id));
      expect(context.evidence?.().citations).toEqual(context.citations);
      return { text };
    });
    const model = scriptedModel([
      { calls: [call("search", "a")] },
      { calls: [call("check", "b")] },
      { calls: [finishCall("So [1].")] },
    ]);
    await runAgent(createAgent(testConfig, { model, tools: [search, check] }));
    expect(seen).toEqual(["1"]);
  });

  it("see what the person wrote, and not what a plan asks of them", async () => {
    const seen: (readonly string[] | undefined)[] = [];
    const look = echoTool("look", (text, { given }) => {
      seen.push(given);
      return { text };
    });
    const history = [
      { role: "user" as const, text: "Q1 was 12" },
      { role: "agent" as const, text: "Noted: 12 and 99." },
    ];
    await runAgent(agentWith([look], [call("look", "a")]), { text: "Draw Q1.", history });
    const delegation = {
      v: 1,
      objective: "Draw Q1.",
      instruction: "Draw 99.",
      expectedOutput: "",
      allowedTools: [],
      limits: {},
      results: {},
    } as const;
    await runAgent(agentWith([look], [call("look", "a")]), { text: "Draw 99.", delegation });
    expect(seen).toEqual([["Q1 was 12", "Draw Q1."], ["Draw Q1."]]);
  });
});
