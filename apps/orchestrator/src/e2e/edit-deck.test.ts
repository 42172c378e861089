import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { answering, scriptedAgent } from "@troupe/a2a/testing";
import { answerCheck } from "@troupe/checks";
import { createAgent, silentLog, systemClock, type ModelRequest } from "@troupe/core";
import {
  finishCall,
  memoryArtifactStore,
  runAgent,
  scriptedModel,
  type ScriptedStep,
} from "@troupe/core/testing";
import { createMcpPool } from "@troupe/mcp";
import { pptAgent } from "@troupe/ppt-agent";
import * as pptMcp from "@troupe/ppt-mcp";
import type { JsonObject } from "@troupe/stream";
import { expect, it, onTestFinished } from "vitest";

import { createOrchestrator } from "../orchestrator/create-orchestrator.ts";
import { readRunReport } from "../orchestrator/run-report.ts";
import { readPptx } from "../testing/read-pptx.ts";

const log = silentLog;
const passage = "Software margin was 62 % in 2025. The pilot ran at 14 plants.";
const citation = {
  id: "1",
  document: "Board report",
  source: "board.md",
  collection: "c",
  chunkId: "k",
  quote: passage,
  start: 0,
  end: passage.length,
};

/** A plan of one step, or of the two that a first request takes. */
const plan = (steps: readonly object[], final = "passthrough"): ScriptedStep => ({
  text: JSON.stringify({ name: "Deck", steps, final, refusal: "", needs: "" }),
});
const MAKE = plan([
  { id: "research", agent: "rag-agent", instruction: "Find.", depends_on: [], expected_output: "" },
  { id: "deck", agent: "ppt-agent", instruction: "Make it.", depends_on: ["research"], expected_output: "" },
]);
const CHANGE = plan([
  {
    id: "deck",
    agent: "ppt-agent",
    instruction: "Make it 3 slides.",
    depends_on: [],
    expected_output: "",
    earlier: ["turn1.deck", "turn1.research"],
  },
]);

const lastResults = ({ messages }: ModelRequest): readonly string[] => {
  const last = messages.at(-1);
  return last?.role === "tool" ? last.results.map(({ text }) => text) : [];
};
const presentationIn = (request: ModelRequest): string =>
  /presentation_id:? ([\w-]{36})/.exec(JSON.stringify(request.messages))?.[1] ?? "";

async function team(deckSteps: Parameters<typeof scriptedModel>[0]) {
  const home = mkdtempSync(join(tmpdir(), "troupe-edit-deck-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const server = await pptMcp.start(pptMcp.settings.parse({ home, port: 0 }), { log });
  onTestFinished(() => server.close());
  const files = memoryArtifactStore();
  const pool = createMcpPool([{ name: "ppt-mcp", url: server.url }], {
    clock: systemClock,
    log,
    artifacts: files,
  });
  onTestFinished(() => pool.close());
  const source = pool.source("ppt-mcp");
  const model = scriptedModel(deckSteps);
  const { config, adapt, finishRule } = pptAgent;
  const deckAgent = createAgent(config, {
    model,
    toolSources: [adapt?.(source, {}) ?? source],
    answerCheck,
    ...(finishRule === undefined ? {} : { finishRule }),
  });
  const answer = [`${passage} [1]`];
  const documents = scriptedAgent(
    () =>
      answering(answer).map((body) =>
        body.type === "finish" ? { ...body, response: { ...body.response, citations: [citation] } } : body,
      ),
    { name: "rag-agent" },
  );
  const orchestrator = await createOrchestrator({
    agents: [documents, deckAgent],
    model: scriptedModel([MAKE, CHANGE]),
  });
  onTestFinished(() => orchestrator.close());
  const ask = async (runId: string, text: string) => {
    const events = await runAgent(orchestrator.agent, { runId, text, contextId: "talk" });
    const finish = events.findLast((event) => event.type === "finish" && event.stepId === undefined);
    if (finish?.type !== "finish") throw new Error("The run has no end.");
    return { finish, files: readRunReport(finish.response.data).artifacts };
  };
  const slidesOf = async (id: string) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await files.get(id, ""))?.read() ?? []) chunks.push(chunk);
    return readPptx(Buffer.concat(chunks));
  };
  return { ask, model, slidesOf };
}

it("edits the deck of the turn before, with its sources, and hands over one file a turn", async () => {
  let id = "";
  const call = (name: string, args: JsonObject = {}) => ({
    name: `powerpoint_${name}`,
    arguments: { presentation_id: id, ...args },
  });
  const margin = {
    kind: "bullets",
    title: "Software margin reached 62 %",
    points: [{ text: "Margin was 62 % in 2025", sources: ["research/1"] }],
  };
  const plants = {
    kind: "bullets",
    title: "The pilot ran at 14 plants",
    points: [{ text: "14 plants", sources: ["research/1"] }],
  };
  const shown: string[][] = [];
  const { ask, model, slidesOf } = await team([
    // The first turn: a draft is saved, then corrected and saved again.
    {
      calls: [
        { name: "powerpoint_create_presentation", arguments: { title: "Board", sources_slide: false } },
      ],
    },
    (request) => {
      id = presentationIn(request);
      return {
        calls: [
          call("add_slide", { slide: { ...margin, title: "Software margin reached 71 %" } }),
          call("add_slide", { slide: plants }),
          call("add_slide", { slide: { kind: "closing", title: "Decide on the roll-out" } }),
          call("save_presentation", { file_name: "board.pptx" }),
        ],
      };
    },
    (request) => {
      shown.push([...lastResults(request)]);
      return {
        calls: [
          call("replace_slide", { slide_number: 2, slide: margin }),
          call("save_presentation", { file_name: "board.pptx" }),
        ],
      };
    },
    { calls: [finishCall("board.pptx is ready.")] },
    // The second turn: nothing is known but what is handed over.
    (request) => {
      id = presentationIn(request);
      return { calls: [call("list_slides")] };
    },
    (request) => {
      shown.push([...lastResults(request)]);
      return {
        calls: [
          { name: "powerpoint_get_slide", arguments: { presentation_id: "turn1.deck", slide_number: 3 } },
        ],
      };
    },
    (request) => {
      const [given = "{}"] = lastResults(request);
      shown.push([given]);
      const slide = { ...(JSON.parse(given) as JsonObject), title: "14 plants took part in the pilot" };
      return {
        calls: [call("replace_slide", { slide_number: 3, slide }), call("delete_slide", { slide_number: 4 })],
      };
    },
    // The answer before the file is sent back.
    { calls: [finishCall("It has 3 slides now.")] },
    () => ({ calls: [call("save_presentation", { file_name: "board.pptx" })] }),
    { calls: [finishCall("board.pptx has 3 slides now.")] },
  ]);

  const made = await ask("run-1", "Make a deck for the board");
  expect(made.finish).toMatchObject({ outcome: "completed" });
  expect(made.files.map(({ name }) => name)).toEqual(["board.pptx"]);
  const before = await slidesOf(made.files[0]?.id ?? "");
  const titles = (slides: typeof before) =>
    slides.map(({ shapes }) => shapes.find(({ name }) => name === "Title")?.text.replaceAll("\u00A0", " "));
  expect(titles(before)).toEqual([
    "Board",
    "Software margin reached 62 %",
    "The pilot ran at 14 plants",
    "Decide on the roll-out",
  ]);
  const [added] = shown;
  expect(added?.[0]).toContain('slide 2, title: "Software margin reached 71 %": 71 % was not found.');

  const changed = await ask("run-2", "Make it 3 slides");
  expect(changed.finish).toMatchObject({
    outcome: "completed",
    response: { content: "board.pptx has 3 slides now." },
  });
  expect(changed.files.map(({ name }) => name)).toEqual(["board.pptx"]);
  const after = await slidesOf(changed.files[0]?.id ?? "");
  expect(titles(after)).toEqual([
    "Board",
    "Software margin reached 62 %",
    "14 plants took part in the pilot",
  ]);
  expect(after[2]?.notes).toContain(passage);
  const [, listed, read] = shown;
  expect(listed?.[0]).toContain("3. bullets: The pilot ran at 14 plants");
  expect(JSON.parse(read?.[0] ?? "")).toMatchObject({ points: [{ text: "14 plants", sources: ["[2]"] }] });
  const sentBack = model.requests[8];
  expect(JSON.stringify(sentBack?.messages.at(-1))).toContain("Slides were changed and not saved");
  model.assertDone();
}, 30_000);

it.each([
  ["figures of the request and of steps", ["EUR 40 million were asked for", "14 plants ran the pilot"], []],
  ["invented figures", ["EUR 91 million were asked for", "14 plants ran the pilot"], ["EUR 91 million"]],
])(
  "compares a deck without sources, of %s, with what the run knows",
  async (_what, points, invented) => {
    const { ask } = await team([
      { calls: [{ name: "powerpoint_create_presentation", arguments: { title: "Board" } }] },
      {
        // As weak models write it: other names, no object for the slide, no presentation_id.
        calls: [
          {
            name: "powerpoint_add_slide",
            arguments: { type: "bullets", title: "The pilot", bullets: points },
          },
          { name: "powerpoint_save_presentation", arguments: { file_name: "board.pptx" } },
        ],
      },
      { calls: [finishCall("board.pptx is ready.")] },
    ]);
    const { finish, files } = await ask("run-1", "Make a slide: we ask for EUR 40 million");
    expect(files.map(({ name }) => name)).toEqual(["board.pptx"]);
    expect(finish.outcome).toBe(invented.length === 0 ? "completed" : "partial");
    for (const words of invented) expect(finish.error?.message).toContain(words);
  },
  30_000,
);
