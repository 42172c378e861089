import {
  readStoredImage,
  silentLog,
  type ImageSource,
  type ModelImage,
  type ModelMessage,
} from "@troupe/core";
import { collectAnswer, memoryArtifactStore, sampleImage } from "@troupe/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { FakeModelServer } from "../testing/index.ts";
import { adapters, never, request, type Settings } from "./adapters.test-bench.ts";

const png = sampleImage();
const webp = sampleImage({ mediaType: "image/webp" });
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const ok = { blocks: [{ type: "text" as const, text: "A cat." }] };

/** A store with these files, read in the name of `ann`. */
async function kept(files: { readonly [name: string]: Uint8Array }) {
  const store = memoryArtifactStore();
  const refs = new Map<string, Awaited<ReturnType<typeof store.put>>>();
  for (const [name, bytes] of Object.entries(files)) {
    const ref = await store.put(bytes, { name, mediaType: "image/png", owner: "ann" });
    refs.set(ref.id, ref);
  }
  const read = readStoredImage(store);
  const images: ImageSource = {
    read: ({ id }, options) => {
      const ref = refs.get(id);
      if (ref === undefined) throw new Error(`no file ${id}`);
      return read(ref, { ...options, owner: "ann" });
    },
  };
  const list = [...refs.values()].map(({ id, name, mediaType, bytes }): ModelImage => ({
    id,
    name,
    mediaType,
    bytes,
  }));
  return { images, list };
}

const rounds = (
  first: readonly ModelImage[],
  results: readonly (readonly ModelImage[])[],
): ModelMessage[] => [
  { role: "user", text: "What is this?", images: first },
  {
    role: "assistant",
    text: "",
    toolCalls: results.map((_, at) => ({ callId: `c${at}`, name: "render", arguments: "{}" })),
  },
  {
    role: "tool",
    results: results.map((images, at) => ({
      callId: `c${at}`,
      name: "render",
      text: `Slide ${at}.`,
      isError: false,
      ...(images.length === 0 ? {} : { images }),
    })),
  },
];

const label = (file: string, bytes: number) => ({
  type: "text",
  text: `Image "${file}" (image/png, ${bytes} bytes):`,
});

/** The messages of the first test, in the form of each provider. */
const FORMS = {
  anthropic: () => {
    const block = (media_type: string, data: string) => ({
      type: "image",
      source: { type: "base64", media_type, data },
    });
    return [
      {
        role: "user",
        content: [
          label("cat.png", 64),
          block("image/png", base64(png)),
          { type: "text", text: "What is this?" },
        ],
      },
      { role: "assistant" },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "c0",
            content: [
              { type: "text", text: "Slide 0." },
              label("slide.png", 64),
              block("image/webp", base64(webp)),
            ],
          },
          {
            type: "tool_result",
            tool_use_id: "c1",
            content: "Slide 1.",
            cache_control: { type: "ephemeral" },
          },
        ],
      },
    ];
  },
  "openai-compatible": () => {
    const part = (type: string, bytes: Uint8Array) => ({
      type: "image_url",
      image_url: { url: `data:${type};base64,${base64(bytes)}` },
    });
    return [
      { role: "system", content: "You are a test." },
      {
        role: "user",
        content: [label("cat.png", 64), part("image/png", png), { type: "text", text: "What is this?" }],
      },
      expect.objectContaining({ role: "assistant" }),
      { role: "tool", tool_call_id: "c0", content: "Slide 0.\n[The images of this result follow below.]" },
      { role: "tool", tool_call_id: "c1", content: "Slide 1." },
      {
        role: "user",
        content: [
          { type: "text", text: "Images that the tool render returned:" },
          label("slide.png", 64),
          part("image/webp", webp),
        ],
      },
    ];
  },
};

describe.each(adapters)("$name: images", ({ name, startFake, model }) => {
  let server: FakeModelServer;
  beforeEach(async () => {
    server = await startFake();
  });
  afterEach(() => server.close());

  const ask = (messages: readonly ModelMessage[], images: ImageSource | undefined, settings: Settings = {}) =>
    collectAnswer(
      model(server, settings).stream(request({ messages }), {
        signal: never,
        ...(images === undefined ? {} : { images }),
      }),
    );
  const sent = (at = 0) => server.requests[at]?.body["messages"];

  it("go out in the form of the provider: of a person, and of tools", async () => {
    const { images, list } = await kept({ "cat.png": png, "slide.png": webp });
    const [cat, slide] = list;
    if (cat === undefined || slide === undefined) throw new Error("two files");
    server.script(ok);
    expect((await ask(rounds([cat], [[slide], []]), images)).text).toBe("A cat.");
    expect(sent()).toMatchObject(FORMS[name]());
  });

  it("are texts with name, type and size for a model that takes none", async () => {
    const { images, list } = await kept({ "cat.png": png });
    server.script(ok);
    expect((await ask(rounds(list, [list]), images, { vision: false })).text).toBe("A cat.");
    const body = JSON.stringify(sent());
    expect(body.match(/is not shown: this model takes no images/g)).toHaveLength(2);
    expect(body).toContain('cat.png\\" (image/png, 64 bytes)');
    expect(body).not.toMatch(/"image_url"|"base64"/);
  });

  it("are left out if they are unreadable or no images, and the call is still made", async () => {
    const { images, list } = await kept({ "cat.svg": Buffer.from("<svg onload='x()'/>") });
    server.script(ok, ok);
    await ask(rounds(list, [[]]), images);
    await ask(rounds(list, [[]]), undefined);
    expect(JSON.stringify(sent(0))).toContain("it is no PNG, JPEG, GIF or WebP image");
    expect(JSON.stringify(sent(1))).toContain("nothing here keeps files");
    expect(JSON.stringify(server.requests)).not.toContain("onload");
  });

  it.each([
    [400, "this model does not support image input"],
    [400, "messages.1.content must be a string"],
    [404, "No endpoints found that support image input"],
    [413, "Request exceeds the maximum size"],
    [422, "messages[1]: unknown variant `image_url`, expected `text`"],
    [500, "image input is not supported - hint: you may need to provide the mmproj"],
  ])("that are refused (%i, %s) are left out of one more try, and from then on", async (status, message) => {
    const { images, list } = await kept({ "cat.png": png });
    const warned: unknown[] = [];
    const log = { ...silentLog, warn: (text: string, fields: unknown) => void warned.push([text, fields]) };
    const asked = model(server, { log });
    const once = () =>
      collectAnswer(asked.stream(request({ messages: rounds(list, [[]]) }), { signal: never, images }));
    server.script({ status, errorType: "invalid_request_error", message }, ok, ok);
    expect((await once()).text).toBe("A cat.");
    expect((await once()).text).toBe("A cat.");
    expect(server.requests).toHaveLength(3);
    expect(JSON.stringify(sent(0))).toContain(base64(png));
    expect(JSON.stringify([sent(1), sent(2)])).not.toContain(base64(png));
    expect(JSON.stringify(sent(1))).toContain("is not shown: the model or its server refused it");
    expect(warned).toHaveLength(1);
    expect(JSON.stringify(warned)).toContain("TROUPE_VISION");
  });

  it("are not blamed for a refusal of something else, nor for one of a request without any", async () => {
    const { images, list } = await kept({ "cat.png": png });
    const refusal = { status: 400, errorType: "invalid_request_error", message: "prompt is too long" };
    const other = { ...refusal, message: "this model does not support image input" };
    server.script(refusal, other);
    expect((await ask(rounds(list, [[]]), images)).error).toMatchObject({ code: "model.invalid-request" });
    expect((await ask(rounds([], [[]]), images)).error).toMatchObject({ code: "model.invalid-request" });
    expect(server.requests).toHaveLength(2);
  });

  it("are not in an error that quotes the request", async () => {
    const large = sampleImage({ bytes: 30_000 });
    large.fill(0xab, 100);
    const { images, list } = await kept({ "cat.png": large });
    const quoted = JSON.stringify({ url: `data:image/png;base64,${base64(large)}` });
    server.script({
      status: 402,
      errorType: "invalid_request_error",
      message: `Failed to parse messages: ${quoted} ${"and more ".repeat(1_000)}`,
    });
    const { error } = await ask(rounds(list, [[]]), images);
    const text = error instanceof Error ? error.message : "";
    expect(text).toContain("Failed to parse messages");
    expect(text.length).toBeLessThan(2_500);
    expect(text).not.toContain("q6urq6ur");
  });
});
