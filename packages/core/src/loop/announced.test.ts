import { describe, expect, it } from "vitest";

import { eventsOf } from "../testing/run-agent.ts";
import { finishCall } from "../testing/scripted-model.ts";
import { finished, quote, run, search, searchTool } from "./weak-model.test-bench.ts";

const announced = "Great, I found some results. Now I will open the first document to read it.";
const FOUND = `No answer was written. This was found:\n\n- travel.md: "${quote}" [1]\n\nThe last words of the agent: ${announced}`;
const ONLY_ANNOUNCED = {
  code: "agent.no-response",
  message: "The model wrote no answer, it only said what it would do next.",
};
const table = { id: "r1", columns: ["region", "total"], rows: [["North", 12]] };
const queryTool = searchTool(() => ({ text: "| region | total |\n| North | 12 |", tables: [table] }));

describe("an announcement after something was found", () => {
  it.each([
    ["text", { text: announced }],
    ["finish", { calls: [finishCall(announced)] }],
  ])("is sent back once as %s", async (_, step) => {
    const { finish, told } = await run({ steps: [{ calls: [search] }, step, finished] });
    expect(told[1]).toContain(
      "This says what you will do next, or cites nothing that was found. Call the tool, or",
    );
    expect(finish).toMatchObject({ outcome: "completed", response: { content: `${quote} [1]` } });
  });

  it.each([
    ["text", { text: announced }],
    ["finish", { calls: [finishCall(announced)] }],
  ])("is replaced by what was found where it comes again as %s", async (_, step) => {
    const { finish, events } = await run({ steps: [{ calls: [search] }, step, step], checked: true });
    expect(finish).toMatchObject({
      outcome: "partial",
      response: { content: FOUND, citations: [{ id: "1" }] },
      error: ONLY_ANNOUNCED,
    });
    const shown = eventsOf(events, "text-delta").filter(({ itemId }) => finish.answerItems.includes(itemId));
    expect(shown.map(({ delta }) => delta).join("")).toBe(FOUND);
  });

  it("is replaced by the rows of a query", async () => {
    const text = "I have the results. Let me now create a chart.";
    const { finish } = await run({ tools: [queryTool], steps: [{ calls: [search] }, { text }, { text }] });
    expect(finish.outcome).toBe("partial");
    expect(finish.response.content).toContain("- rag_search: | region | total | | North | 12 |");
  });

  it("is replaced in the last round without another one", async () => {
    const steps = [{ calls: [search] }, { calls: [finishCall("let me search again to be sure")] }];
    const { finish } = await run({ steps, config: { max_iterations: 2 } });
    expect(finish).toMatchObject({ outcome: "partial", error: ONLY_ANNOUNCED });
    expect(finish.response.content).toContain(quote);
  });

  it("is sent back beside one before the first lookup", async () => {
    const step = { text: announced };
    const steps = [{ text: "I will search." }, { calls: [search] }, step, step];
    const { finish, told } = await run({ steps });
    expect(told[0]).toContain("Nothing was looked up yet.");
    expect(finish.response.content).toBe(FOUND);
  });

  it.each(["marker", "structured"])("is sent back in %s mode", async (response_mode) => {
    const last =
      response_mode === "marker"
        ? [{ text: `[FINAL ANSWER]${quote} [1]` }]
        : [{ text: `${quote} [1]` }, { text: JSON.stringify({ content: `${quote} [1]` }) }];
    const text = response_mode === "marker" ? `[FINAL ANSWER]${announced}` : announced;
    const steps = [{ calls: [search] }, { text }, ...last];
    const { finish, told } = await run({ steps, config: { response_mode } });
    expect(told[1]).toContain("This says what you will do next");
    expect(finish).toMatchObject({ outcome: "completed", response: { content: `${quote} [1]` } });
  });
});

describe("a short answer", () => {
  it.each([
    ["with words of a passage", { calls: [finishCall("By train.")] }],
    [
      "that says something is missing",
      { calls: [finishCall("No document says so.", { is_task_complete: false })] },
    ],
    [
      "that says it did not succeed",
      { calls: [finishCall("Nothing helps here.", { was_task_successful: false })] },
    ],
    [
      "that asks the person",
      { calls: [finishCall("Which country should count?", { require_user_input: true })] },
    ],
    ["that is a question", { text: "Which country should count?" }],
  ])("is accepted %s", async (_, step) => {
    const { told, finish } = await run({ steps: [{ calls: [search] }, step] });
    expect(told).toHaveLength(1);
    expect(JSON.stringify(finish)).not.toContain("No answer was written");
  });

  it("is accepted after a file or a chart was made", async () => {
    const ref = { id: "a", name: "deck.pptx", mediaType: "x/y", bytes: 1, sha256: "0".repeat(64), url: "/a" };
    const tools = [
      searchTool(({ length }) => ({ text: quote, tables: [table], artifacts: length > 0 ? [ref] : [] })),
    ];
    const { finish } = await run({
      tools,
      steps: [{ calls: [search] }, { text: "Finished: please download everything." }],
    });
    expect(finish).toMatchObject({
      outcome: "completed",
      response: { content: "Finished: please download everything." },
    });
  });

  it("is accepted where no passage and no row was found", async () => {
    const tools = [searchTool(() => ({ text: "Nothing matches." }))];
    const steps = [{ calls: [search] }, { text: "Unfortunately nothing about this exists." }];
    const { finish } = await run({ tools, steps });
    expect(finish.outcome).toBe("completed");
  });

  it("is accepted from a model that repeats its answer, such as fixed rules", async () => {
    const { finish } = await run({ free: true, steps: [{ calls: [search] }, { text: announced }] });
    expect(finish).toMatchObject({ outcome: "completed", response: { content: announced } });
  });
});
