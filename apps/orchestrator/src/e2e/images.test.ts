import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { captureWire, plainMessage } from "@troupe/a2a/testing";
import type { Log } from "@troupe/core";
import { finishCall, freePort, sampleImage } from "@troupe/core/testing";
import { startFakeOpenai, type FakeBlock } from "@troupe/models/testing";
import { agentSettings, startAgent, type AgentDefinition } from "@troupe/service/agent";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";

import { runProgram } from "../cli/program.ts";
import { report } from "../cli/report.ts";
import { settings } from "../server/settings.ts";
import { start } from "../server/start.ts";
import { testContext } from "../testing/test-context.ts";
import { cleanUp, temporaryFolder } from "../testing/troupe.ts";

afterEach(cleanUp);

const cat = sampleImage({ bytes: 600 });
cat.fill(0xc5, 200);
const BASE64 = Buffer.from(cat).toString("base64");
/** A part of the pixels: any text or file with the image contains it. */
const PIXELS = BASE64.slice(300, 360);

const agentNamed = (name: string): AgentDefinition => ({
  config: {
    agent_type: name,
    name,
    title: name,
    description: "Says what it sees.",
    system_prompt: "Say what you see.",
  },
});

const answer = (content: string): { readonly blocks: readonly FakeBlock[] } => ({
  blocks: [
    { type: "tool-call", id: "f", name: "finish", arguments: JSON.stringify(finishCall(content).arguments) },
  ],
});

/** An orchestrator and agents on a model server, on one home or each on its own. */
async function team(
  names: readonly string[],
  { shared = true, checked = false }: { readonly shared?: boolean; readonly checked?: boolean } = {},
) {
  const folder = temporaryFolder();
  const home = join(folder, "home");
  mkdirSync(home);
  const lines: string[] = [];
  const write = (message: string, fields?: object): void =>
    void lines.push(JSON.stringify([message, fields]));
  const log: Log = { debug: write, info: write, warn: write, error: write, child: () => log };
  const provider = await startFakeOpenai();
  const model = { openai_base_url: provider.url, model: "fake" };
  const port = await freePort();
  const agents: string[] = [];
  for (const name of names) {
    const own = shared
      ? { home }
      : { home: join(folder, name), allowed_origins: [`http://127.0.0.1:${port}`] };
    const agent = await startAgent(
      agentNamed(name),
      agentSettings(0).parse({ ...own, ...model, port: 0, answer_check: checked ? "rules" : "off" }),
      { log },
    );
    onTestFinished(() => agent.close());
    agents.push(agent.url);
  }
  const served = await start(settings.parse({ home, port, agents, ...model }), { log });
  onTestFinished(async () => {
    await served.close();
    await provider.close();
  });
  return {
    folder,
    home,
    lines,
    provider,
    agents,
    url: served.url,
    /** What the model of an agent was sent. */
    sent: () =>
      provider.requests
        .map(({ body }) => JSON.stringify(body["messages"]))
        .filter((text) => text.includes("Say what you see.")),
    troupe: async (...args: readonly string[]) => {
      const written = { stdout: "", stderr: "" };
      const out = (text: string): void => void (written.stdout += text);
      const err = (text: string): void => void (written.stderr += text);
      const context = testContext(home, { out, err, cwd: folder, interrupted: AbortSignal.timeout(30_000) });
      const shell = { out, err, env: context.env, open: () => Promise.resolve(context) };
      const code = await runProgram(args, shell).catch((error: unknown) => report(error, err));
      return { code, ...written };
    },
  };
}

/** Every file below a folder but those of the artifact store, with its content. */
function filesIn(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "artifacts" ? [] : filesIn(path);
    return entry.isFile() ? [[path, readFileSync(path, "latin1")] as const] : [];
  });
}

const withImage = (text: string, bytes: Uint8Array, mediaType = "image/png") => {
  const { message, ...request } = plainMessage(text);
  if (message === undefined) throw new Error("no message");
  const content = { $case: "raw" as const, value: Buffer.from(bytes) };
  const image = { content, metadata: undefined, filename: "cat.png", mediaType };
  return { ...request, message: { ...message, parts: [...message.parts, image] } };
};

describe("an image in a message", () => {
  it("is shown to the model of an agent, and is in no log, task or journal", async () => {
    const { agents, provider, sent, home, lines } = await team(["seer"]);
    provider.script(answer("A cat."));
    const events = await captureWire(agents[0] ?? "", withImage("What is this?", cat));
    expect(JSON.stringify(events)).toContain("A cat.");
    expect(sent()).toHaveLength(1);
    expect(sent()[0]).toContain(`"image_url":{"url":"data:image/png;base64,${BASE64}"}`);
    expect(sent()[0]).toContain('Image \\"cat.png\\" (image/png, 600 bytes):');
    expect(JSON.stringify(events)).not.toContain(PIXELS);
    expect(lines.join("\n")).not.toContain(PIXELS);
    const kept = filesIn(home);
    expect(kept.length).toBeGreaterThan(0);
    for (const [path, text] of kept)
      expect([path, text.includes(PIXELS) || text.includes("\xc5".repeat(60))]).toEqual([path, false]);
  });

  it("that is SVG is named to the model and not shown, and the person is told", async () => {
    const { agents, provider, sent } = await team(["seer"]);
    provider.script(answer("I see nothing."));
    const svg = Buffer.from("<svg onload='alert(1)'/>");
    const events = await captureWire(agents[0] ?? "", withImage("What is this?", svg, "image/svg+xml"));
    expect(sent()[0]).toContain("is not shown: it is no PNG, JPEG, GIF or WebP image.");
    expect(sent()[0]).not.toMatch(/onload|image_url/);
    expect(JSON.stringify(events)).toContain("The image cat.png is not shown to the model");
  });

  it("reaches every step of a run through the orchestrator, and the planner learns its name", async () => {
    const { url, provider, sent, home, lines } = await team(["seer", "writer"]);
    const step = (id: string, agent: string, depends_on: readonly string[]) => ({
      id,
      agent,
      instruction: `Do ${id}.`,
      depends_on,
      expected_output: "Text.",
    });
    const plan = {
      name: "Look",
      steps: [step("look", "seer", []), step("write", "writer", ["look"])],
      final: "passthrough",
      refusal: "",
      needs: "",
    };
    provider.script(
      { blocks: [{ type: "text", text: JSON.stringify(plan) }] },
      answer("A cat."),
      answer("A poem about a cat."),
    );
    const events = await captureWire(url, withImage("Write a poem about this.", cat));
    expect(JSON.stringify(events)).toContain("A poem about a cat.");
    const planned = JSON.stringify(provider.requests[0]?.body);
    expect(planned).toContain('\\"images\\":[\\"cat.png\\"]');
    expect(planned).not.toContain(PIXELS);
    expect(sent().map((text) => text.includes(BASE64))).toEqual([true, true]);
    expect(lines.join("\n")).not.toContain(PIXELS);
    for (const [path, text] of filesIn(home)) expect([path, text.includes(PIXELS)]).toEqual([path, false]);
  });

  it("reaches an agent with a home of its own, which fetches it from the orchestrator", async () => {
    const { url, provider, sent } = await team(["seer"], { shared: false });
    provider.script(answer("A cat."));
    const events = await captureWire(url, withImage("What is this?", cat));
    expect(JSON.stringify(events)).toContain("A cat.");
    expect(sent()[0]).toContain(BASE64);
  });

  it("is no text that an answer can be compared with: a figure read off it is marked", async () => {
    const { agents, provider } = await team(["seer"], { checked: true });
    const read = answer("The sign says that Oslo is 42 km away.");
    provider.script(read, read);
    const events = JSON.stringify(await captureWire(agents[0] ?? "", withImage("How far is it?", cat)));
    expect(events).toContain("Oslo is 42 km away");
    expect(events).toContain('"outcome":"partial"');
    expect(events).toContain("agent.unverified");
  });

  it("by an address of another origin is not fetched", async () => {
    const { agents, provider, sent } = await team(["seer"]);
    provider.script(answer("I see nothing."));
    const { message, ...request } = plainMessage("What is this?");
    if (message === undefined) throw new Error("no message");
    const content = { $case: "url" as const, value: `${provider.url}/cat.png` };
    const image = { content, metadata: undefined, filename: "cat.png", mediaType: "image/png" };
    const events = await captureWire(agents[0] ?? "", {
      ...request,
      message: { ...message, parts: [...message.parts, image] },
    });
    expect(JSON.stringify(events)).toContain("was not read");
    expect(sent()[0]).not.toContain("image_url");
    expect(provider.requests).toHaveLength(1);
  });

  it("by the id of another user's file is not shown", async () => {
    const { agents, provider, sent } = await team(["seer"]);
    provider.script(answer("A cat."), answer("I see nothing."));
    const put = { ...withImage("What is this?", cat) };
    const owned = {
      ...put,
      message: { ...put.message, metadata: { "urn:troupe:a2a:events:v1": { userId: "ann" } } },
    };
    const events = JSON.stringify(await captureWire(agents[0] ?? "", owned));
    expect(sent()[0]).toContain(BASE64);
    const [id] = /[0-9a-f]{32}(?=\/cat\.png)/.exec(events) ?? [];
    expect(id).toBeDefined();
    const { message, ...request } = plainMessage("And now?");
    if (message === undefined) throw new Error("no message");
    const content = { $case: "url" as const, value: `${agents[0]}/artifacts/${id}/cat.png` };
    const named = { content, metadata: undefined, filename: "cat.png", mediaType: "image/png" };
    await captureWire(agents[0] ?? "", {
      ...request,
      message: { ...message, parts: [...message.parts, named] },
    });
    expect(sent()[1]).toContain("is not shown: its address is none of TROUPE_ALLOWED_ORIGINS");
    expect(sent()[1]).not.toContain("image_url");
  });
});

describe("run --file", () => {
  it("hands images to the agents of a run", async () => {
    const { troupe, folder, provider, sent } = await team(["seer"]);
    const dog = sampleImage({ mediaType: "image/jpeg", bytes: 3_500_000 });
    writeFileSync(join(folder, "cat.png"), cat);
    writeFileSync(join(folder, "dog.jpg"), dog);
    provider.script(answer("A cat and a dog."));
    const done = await troupe("run", "-q", "What are these?", "--file", "cat.png", "--file", "dog.jpg");
    expect(done).toMatchObject({ code: 0, stdout: "A cat and a dog.\n" });
    expect(sent()[0]).toContain(BASE64);
    expect(sent()[0]?.match(/data:image\/jpeg;base64/g)).toHaveLength(1);
  });

  it.each([
    ["is no image", "sales.csv", Buffer.from("a,b\n1,2\n"), "troupe ingest sales.csv"],
    ["is SVG", "logo.svg", Buffer.from("<svg/>"), "no PNG, JPEG, GIF or WebP"],
    ["has too many pixels", "wide.png", sampleImage({ width: 9_000 }), "9000 x 3 pixels"],
    ["has too many bytes", "large.png", sampleImage({ bytes: 4_000_000 }), "at most"],
  ])("refuses a file that %s before anything begins", async (_what, name, bytes, why) => {
    const { troupe, folder, provider } = await team(["seer"]);
    writeFileSync(join(folder, name), bytes);
    const { code, stderr } = await troupe("run", "What is this?", "--file", name);
    expect(code).toBe(2);
    expect(stderr).toContain(why);
    expect(provider.requests).toEqual([]);
  });
});
