import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import { imagesOf, loadImages } from "../images/load-images.ts";
import { readStoredImage } from "../images/read-stored-image.ts";
import { contextCompaction } from "../middleware/context-compaction.ts";
import type { Model, ModelImage } from "../ports/model.ts";
import { parseSuspendedRun } from "../schemas/suspended-run.ts";
import { memorySuspendedRuns } from "../suspend/memory-suspended-runs.ts";
import { memoryArtifactStore } from "../testing/memory-artifact-store.ts";
import { eventsOf, finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { sampleImage } from "../testing/sample-image.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";

const pixels = sampleImage({ bytes: 400 });
pixels.set(Buffer.from("secret-pixels"), 100);

/** Loads the images of each request as an adapter does, and keeps what it was shown. */
function seeingModel(steps: readonly ScriptedStep[]): { readonly model: Model; readonly shown: string[][] } {
  const scripted = scriptedModel(steps);
  const shown: string[][] = [];
  const model: Model = {
    id: scripted.id,
    async *stream(request, options) {
      const loaded = await loadImages(request.messages, options.images, options);
      shown.push(
        loaded.flatMap((message) => {
          const images =
            message.role === "user"
              ? (message.images ?? [])
              : message.role === "tool"
                ? message.results.flatMap(({ images: some = [] }) => some)
                : [];
          return images.map(({ id, text, content }) => (content === undefined ? text : `shown ${id}`));
        }),
      );
      yield* scripted.stream(request, options);
    },
  };
  return { model, shown };
}

async function stored(owner: string, name = "photo.png") {
  const files = memoryArtifactStore();
  const file = await files.put(pixels, { name, mediaType: "image/png", owner });
  return { files, file, readImage: readStoredImage(files) };
}

describe("an image that comes with a request", () => {
  it("is shown to the model in the first message, in every round", async () => {
    const { file, readImage } = await stored("ann");
    const { model, shown } = seeingModel([
      { calls: [{ name: "echo", arguments: { text: "a" } }] },
      { calls: [finishCall("A cat.")] },
    ]);
    const agent = createAgent(testConfig, { model, readImage, tools: [echoTool()] });
    const events = await runAgent(agent, { userId: "ann", files: [file] });
    expect(finishOf(events).outcome).toBe("completed");
    expect(shown).toEqual([[`shown ${file.id}`], [`shown ${file.id}`]]);
    expect(JSON.stringify(events)).not.toContain("secret-pixels");
    expect(JSON.stringify(events)).not.toContain(Buffer.from(pixels).toString("base64").slice(200, 260));
  });

  it("is shown to the agent of a step that is handed it by reference", async () => {
    const { file, readImage } = await stored("ann");
    const { model, shown } = seeingModel([{ calls: [finishCall("A cat.")] }]);
    const agent = createAgent(testConfig, { model, readImage });
    const delegation = {
      v: 1 as const,
      objective: "What is this?",
      instruction: "Say what it shows.",
      expectedOutput: "",
      allowedTools: [],
      limits: {},
      userId: "ann",
      results: {},
      images: [file],
    };
    await runAgent(agent, { delegation });
    expect(shown).toEqual([[`shown ${file.id}`]]);
  });

  it("of another user is refused, and the person is told once", async () => {
    const { file, readImage } = await stored("bob");
    const { model, shown } = seeingModel([
      { calls: [{ name: "echo", arguments: { text: "a" } }] },
      { calls: [finishCall("Nothing to see.")] },
    ]);
    const agent = createAgent(testConfig, { model, readImage, tools: [echoTool()] });
    const events = await runAgent(agent, { userId: "ann", files: [file] });
    const text = '[Image "photo.png" (image/png, 400 bytes) is not shown: it is not in the store.]';
    expect(shown).toEqual([[text], [text]]);
    const told = eventsOf(events, "text-delta").map(({ delta }) => delta);
    expect(told.filter((delta) => delta.includes("is not shown to the model"))).toHaveLength(1);
    expect(finishOf(events).response.content).toBe("Nothing to see.");
  });

  it("is named to a model of an agent that keeps no files", async () => {
    const { file } = await stored("");
    const { model, shown } = seeingModel([{ calls: [finishCall("I see none.")] }]);
    await runAgent(createAgent(testConfig, { model }), { files: [file] });
    expect(shown[0]?.[0]).toContain("this agent keeps no files");
  });

  it("is a file like others where it is a table or a text", async () => {
    const files = memoryArtifactStore();
    const table = await files.put(Buffer.from("a,b"), { name: "a.csv", mediaType: "text/csv", owner: "" });
    const { model, shown } = seeingModel([{ calls: [finishCall("Fine.")] }]);
    await runAgent(createAgent(testConfig, { model, readImage: readStoredImage(files) }), { files: [table] });
    expect(shown).toEqual([[]]);
  });
});

describe("an image that a tool returns", () => {
  const render = (images: Parameters<typeof echoTool>[1]) => echoTool("render", images);

  it("is shown with the result, and is no file of the answer", async () => {
    const { file, readImage } = await stored("ann", "slide-1.png");
    const { model, shown } = seeingModel([
      { calls: [{ name: "render", arguments: { text: "1" } }] },
      { calls: [finishCall("It fits.")] },
    ]);
    const tools = [render(() => ({ text: "Slide 1.", images: [file] }))];
    const events = await runAgent(createAgent(testConfig, { model, readImage, tools }), { userId: "ann" });
    expect(shown).toEqual([[], [`shown ${file.id}`]]);
    expect(eventsOf(events, "artifact")).toEqual([]);
    expect(JSON.stringify(events)).not.toContain("secret-pixels");
  });

  it("is not shown if no tool of the run returned it, even if a message has its id", async () => {
    const { files, file, readImage } = await stored("");
    const other: ModelImage = { id: file.id, name: "x.png", mediaType: "image/png", bytes: 4 };
    const { model, shown } = seeingModel([{ calls: [finishCall("No.")] }]);
    const smuggle = {
      name: "smuggle",
      beforeModel: (request: Parameters<Model["stream"]>[0]) => ({
        ...request,
        messages: request.messages.map((message) =>
          message.role === "user" ? { ...message, images: [other] } : message,
        ),
      }),
    };
    await runAgent(createAgent(testConfig, { model, readImage, middleware: [smuggle] }));
    expect(await files.get(file.id, "")).toBeDefined();
    expect(shown[0]?.[0]).toContain("it is no image of this run");
  });

  it("is shown again after the run waited for a person, and is suspended without its bytes", async () => {
    const { file, readImage } = await stored("ann", "slide-1.png");
    const suspended = memorySuspendedRuns();
    const { model, shown } = seeingModel([
      { calls: [{ name: "render", arguments: { text: "1" } }] },
      { calls: [{ name: "save", arguments: { text: "1" } }] },
      { calls: [finishCall("Saved.")] },
    ]);
    const tools = [render(() => ({ text: "Slide 1.", images: [file] })), echoTool("save")];
    const agent = createAgent({ ...testConfig, approve: ["save"] }, { model, readImage, tools, suspended });
    await runAgent(agent, { userId: "ann", files: [file] });
    const state = await suspended.load("run-1");
    const kept = JSON.stringify(state);
    expect(kept).toContain(file.id);
    expect(kept).not.toContain(Buffer.from(pixels).toString("base64").slice(200, 260));
    expect(state?.messages.flatMap(imagesOf)).toEqual([
      { id: file.id, name: "slide-1.png", mediaType: "image/png", bytes: 400 },
      { id: file.id, name: "slide-1.png", mediaType: "image/png", bytes: 400 },
    ]);
    const read = parseSuspendedRun(JSON.parse(kept));
    await suspended.save("run-1", read);
    const reply = {
      requestId: read.request.requestId,
      decisions: [{ callId: "call-2", type: "approve" as const }],
    };
    const events = await runAgent(agent, { userId: "ann", text: "", reply });
    expect(finishOf(events).outcome).toBe("completed");
    expect(shown.at(-1)).toEqual([`shown ${file.id}`, `shown ${file.id}`]);
  });

  it("goes with the text of its result when the conversation is shortened", async () => {
    const result = (callId: string) => ({
      callId,
      name: "render",
      text: "Slide.",
      isError: false,
      images: [{ id: callId, name: "s.png", mediaType: "image/png", bytes: 9 }],
    });
    const rounds = ["c1", "c2", "c3", "c4"].map((id) => ({ role: "tool" as const, results: [result(id)] }));
    const request = { system: "", messages: rounds, tools: [] };
    const compaction = contextCompaction({ maxTokens: 5_000, keepRounds: 2 });
    const run = undefined as never;
    const short = await compaction.beforeModel?.(request, run);
    expect(short?.messages.flatMap(imagesOf).map(({ id }) => id)).toEqual(["c3", "c4"]);
    expect(JSON.stringify(short?.messages[0])).toContain(
      "the 6 characters and the image that render returned",
    );
  });
});
