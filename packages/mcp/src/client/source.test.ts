import type { ToolContext } from "@troupe/core";
import { sampleImage } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { echo, flakyRig } from "../testing/flaky-rig.ts";
import { sampleTools } from "../testing/sample-tools.ts";

describe("calling tools over Streamable HTTP", () => {
  it("lists and calls, with the schema unchanged and who asks handed on", async () => {
    const rig = await flakyRig();
    const tool = await rig.tool("cite");
    expect(JSON.stringify(tool.definition.inputSchema)).toContain('"x-troupe-ref":"chart"');
    expect([tool.idempotent, (await rig.tool("echo")).idempotent]).toEqual([false, true]);
    expect(await echo(rig, "hi", { userId: "eva", collectionId: "norrvik" })).toEqual({ text: "hi" });
    expect(rig.seen.contexts[0]).toMatchObject({
      runId: "run-1",
      callId: "call-1",
      agent: "rag-agent",
      userId: "eva",
      collectionId: "norrvik",
    });
  });

  it("brings citations, charts, data and summary across unchanged", async () => {
    const rig = await flakyRig();
    const { tools } = sampleTools();
    const local = await tools[1]?.execute({}, {} as ToolContext);
    expect(await rig.call("cite")).toEqual(local);
  });

  it("stores the files of a result for the user who asked", async () => {
    const rig = await flakyRig();
    const output = await rig.call("save", { name: "a.txt", content: "hällo" }, { userId: "eva" });
    expect(output.text).toBe("saved a.txt");
    expect(output.artifacts).toMatchObject([{ name: "a.txt", mediaType: "text/plain", bytes: 6 }]);
    const id = output.artifacts?.[0]?.id ?? "";
    expect((await rig.artifacts.get(id, "eva"))?.ref).toEqual(output.artifacts?.[0]);
    expect(await rig.artifacts.get(id, "")).toBeUndefined();
  });

  it("brings an image across for the model alone, and stores it for the user who asked", async () => {
    const rig = await flakyRig();
    const draw = (bytes: Uint8Array) =>
      rig.call(
        "draw",
        { name: "slide-1.png", content: Buffer.from(bytes).toString("base64") },
        { userId: "eva" },
      );
    const { images = [], ...output } = await draw(sampleImage());
    expect(output).toEqual({ text: "drew slide-1.png\n[image: slide-1.png]" });
    expect(images).toMatchObject([{ name: "slide-1.png", mediaType: "image/png", bytes: 64 }]);
    expect((await rig.artifacts.get(images[0]?.id ?? "", "eva"))?.ref).toEqual(images[0]);
    expect(await rig.artifacts.get(images[0]?.id ?? "", "")).toBeUndefined();
    const none = await draw(Buffer.from("<svg/>"));
    expect(none.images).toBeUndefined();
    expect(none.text).toContain("is not shown: it is no PNG, JPEG, GIF or WebP image");
  });

  it("checks arguments before they go out", async () => {
    const rig = await flakyRig();
    const tool = await rig.tool("echo");
    expect(tool.parse({ text: "x", times: 0 })).toMatchObject({
      ok: false,
      issues: [expect.stringMatching(/^times: /)],
    });
    expect(tool.parse({ text: "x" })).toEqual({ ok: true, value: { text: "x" } });
    expect(rig.server.calls).toBe(0);
  });

  it("passes a tool's own failure on as a result", async () => {
    const rig = await flakyRig();
    expect(await rig.call("refuse")).toEqual({
      text: 'No presentation "p9". Call powerpoint_create_presentation first.',
      isError: true,
    });
  });

  it("makes calls at the same time on one connection", async () => {
    const rig = await flakyRig();
    const outputs = await Promise.all(["a", "b", "c"].map((text) => echo(rig, text)));
    expect(outputs.map((output) => output.text)).toEqual(["a", "b", "c"]);
    expect(rig.server.handshakes).toBe(1);
  });

  it("shows the tools of its allow list only, and says which of them are missing", async () => {
    const rig = await flakyRig({ tools: ["echo", "missing"] });
    const tools = await rig.source.list({ signal: new AbortController().signal });
    expect(tools.map((tool) => tool.definition.name)).toEqual(["echo"]);
    expect(rig.warnings).toEqual(["mcp server lacks tools it is asked for"]);
  });

  it("cuts a long text where a model can see it", async () => {
    const rig = await flakyRig({ maxTextBytes: 1_000 });
    const output = await echo(rig, "ä".repeat(5_000));
    expect(output.text).toMatch(/ä\n\[cut off: 1000 of 10000 bytes are shown/);
  });

  it("refuses an answer that is too large to take", async () => {
    const rig = await flakyRig({ maxResponseBytes: 20_000 });
    await expect(echo(rig, "x".repeat(30_000))).rejects.toMatchObject({ code: "tool.failed" });
    expect((await echo(rig)).text).toBe("hi");
  });
});
