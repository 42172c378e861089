import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { InputError } from "../errors/input-error.ts";
import type { ImageSource, ModelImage, ModelMessage } from "../ports/model.ts";
import { sampleImage } from "../testing/sample-image.ts";
import { readImageFormat } from "./image-format.ts";
import { IMAGE_LIMITS, loadImages, type LoadedImage } from "./load-images.ts";

const { signal } = new AbortController();

const image = (id: string, bytes = 64, mediaType = "image/png"): ModelImage => ({
  id,
  name: `${id}.png`,
  mediaType,
  bytes,
});
const asks = (...images: readonly ModelImage[]): ModelMessage => ({
  role: "user",
  text: "What is this?",
  images,
});

function sourceOf(files: { readonly [id: string]: Uint8Array }): ImageSource & { readonly told: string[] } {
  const told: string[] = [];
  return {
    told,
    read: async ({ id }) => {
      const bytes = files[id];
      if (bytes === undefined) throw new InputError("input.not-found", "it is not in the store.");
      return bytes;
    },
    omitted: ({ id }, why) => void told.push(`${id}: ${why}`),
  };
}

async function load(
  messages: readonly ModelMessage[],
  source?: ImageSource,
): Promise<readonly LoadedImage[]> {
  const loaded = await loadImages(messages, source, { signal });
  return loaded.flatMap((message) => {
    if (message.role === "user") return message.images ?? [];
    return message.role === "tool" ? message.results.flatMap(({ images = [] }) => images) : [];
  });
}

describe("the format of an image", () => {
  it.each(["image/png", "image/jpeg", "image/gif", "image/webp"] as const)(
    "is read from its bytes: %s",
    (mediaType) => {
      const bytes = sampleImage({ mediaType, width: 640, height: 480 });
      expect(readImageFormat(bytes)).toEqual({ mediaType, width: 640, height: 480 });
      expect(readImageFormat(bytes.subarray(0, 9))).toBeUndefined();
    },
  );

  it.each([
    ["VP8 ", [0, 0, 0, 0, 0, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x42, 0xe0, 0x01]],
    // 640 - 1 in 14 bits, then 480 - 1 in 14 bits.
    ["VP8L", [0, 0, 0, 0, 0x2f, 0x7f, 0xc2, 0x77, 0x00, 0, 0, 0, 0, 0]],
  ])("knows WebP of the kind %s", (kind, rest) => {
    const bytes = Uint8Array.from([...Buffer.from(`RIFF....WEBP${kind}`), ...rest]);
    expect(readImageFormat(bytes)).toEqual({ mediaType: "image/webp", width: 640, height: 480 });
  });

  it.each([
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'],
    ["a page", "<!doctype html><script>1</script>"],
    ["nothing", ""],
    ["BMP", "BM6\x00\x00\x00\x00\x00\x00\x006\x00\x00\x00(\x00\x00\x00\x01\x00"],
  ])("is none for %s", (_what, text) => {
    expect(readImageFormat(Buffer.from(text, "latin1"))).toBeUndefined();
  });

  it("is none for an image without an area", () => {
    expect(readImageFormat(sampleImage({ width: 0 }))).toBeUndefined();
  });

  it("is found, or not, in any bytes at all without reading past their end", () => {
    const begin = fc.constantFrom(
      "\xff\xd8\xff",
      "RIFF....WEBPVP8L",
      "\x89PNG\r\n\x1a\n....IHDR",
      "GIF89a",
      "",
    );
    fc.assert(
      fc.property(begin, fc.uint8Array({ maxLength: 80 }), (head, rest) => {
        const bytes = Buffer.concat([Buffer.from(head, "latin1"), rest]);
        const { width, height } = readImageFormat(bytes) ?? { width: 1, height: 1 };
        expect(width * height).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("the images of a request", () => {
  it("are read and named, in a message and in a tool result, and the messages stay as they were", async () => {
    const png = sampleImage();
    const jpeg = sampleImage({ mediaType: "image/jpeg" });
    const result = { callId: "c1", name: "render", text: "Slide 1", isError: false, images: [image("b")] };
    const messages: readonly ModelMessage[] = [asks(image("a")), { role: "tool", results: [result] }];
    const before = structuredClone(messages);
    const source = sourceOf({ a: png, b: jpeg });
    expect(await load(messages, source)).toEqual([
      {
        id: "a",
        text: 'Image "a.png" (image/png, 64 bytes):',
        content: { mediaType: "image/png", bytes: png },
      },
      // Called PNG, and sent as what it is: a provider refuses a wrong type.
      {
        id: "b",
        text: 'Image "b.png" (image/png, 64 bytes):',
        content: { mediaType: "image/jpeg", bytes: jpeg },
      },
    ]);
    expect(messages).toEqual(before);
    expect(source.told).toEqual([]);
  });

  it.each([
    [
      "is SVG",
      { a: Buffer.from("<svg/>") },
      image("a", 6, "image/svg+xml"),
      "it is no PNG, JPEG, GIF or WebP",
    ],
    ["only says that it is PNG", { a: Buffer.from("MZ not an image") }, image("a"), "it is no PNG"],
    ["has too many pixels", { a: sampleImage({ width: 8_001 }) }, image("a"), "8001 x 3 pixels"],
    ["has too many bytes", {}, image("a", IMAGE_LIMITS.imageBytes + 1), "at most 3932160 are taken"],
    [
      "has more bytes than was said",
      { a: sampleImage({ bytes: IMAGE_LIMITS.imageBytes + 1 }) },
      image("a"),
      "at most 3932160 are taken",
    ],
    ["cannot be read", {}, image("a"), "it is not in the store"],
  ])("have a text in place of one that %s", async (_what, files, asked, why) => {
    const source = sourceOf(files);
    const [shown] = await load([asks(asked)], source);
    expect(shown).not.toHaveProperty("content");
    expect(shown?.text).toMatch(/^\[Image "a\.png" \(image\/.*\) is not shown: .*\.\]$/);
    expect(shown?.text).toContain(why);
    expect(source.told).toHaveLength(1);
  });

  it("are replaced by a text if no store is set or the model takes no images", async () => {
    expect((await load([asks(image("a"))]))[0]?.text).toContain("nothing here keeps files");
    const source = { ...sourceOf({}), read: () => Promise.reject(new Error("must not be read")) };
    const [message] = await loadImages([asks(image("a"))], source, { signal, skip: () => "it is blind" });
    expect(message).toMatchObject({
      images: [{ text: expect.stringContaining("is not shown: it is blind.]") }],
    });
  });

  it("do not fail on an error of the store, and hide its message", async () => {
    const broken = { read: () => Promise.reject(new Error("EIO /home/ann/.troupe/artifacts/1")) };
    expect((await load([asks(image("a"))], broken))[0]?.text).toContain("it cannot be read right now");
  });

  it("end with the reason of the signal", async () => {
    const abort = new AbortController();
    const read = (): Promise<Uint8Array> => {
      abort.abort(new Error("enough"));
      return Promise.resolve(sampleImage());
    };
    await expect(loadImages([asks(image("a"))], { read }, { signal: abort.signal })).rejects.toThrow(
      "enough",
    );
  });
});

describe("images beyond the limits of a request", () => {
  const all = (count: number, bytes = 64): readonly ModelImage[] =>
    Array.from({ length: count }, (_, at) => image(`i${at}`, bytes));
  const filesOf = (images: readonly ModelImage[]) =>
    sourceOf(Object.fromEntries(images.map(({ id, bytes }) => [id, sampleImage({ bytes })])));

  it("are replaced by a text, oldest first, without a message to the person", async () => {
    const images = all(21);
    const source = filesOf(images);
    const loaded = await load(
      images.map((one) => asks(one)),
      source,
    );
    expect(loaded.map(({ content }) => content !== undefined)).toEqual(images.map((_, at) => at >= 6));
    expect(loaded[0]?.text).toBe(
      '[Image "i0.png" (image/png, 64 bytes) is no longer shown: a request has room for 20 images and 16 MiB, and newer ones took its place.]',
    );
    expect(source.told).toEqual([]);
  });

  it("stay out, so that the start of the conversation is stable for several rounds", async () => {
    const images = all(40);
    const dropped: number[] = [];
    for (let count = 1; count <= images.length; count++) {
      const loaded = await load([asks(...images.slice(0, count))], filesOf(images));
      dropped.push(loaded.filter(({ content }) => content === undefined).length);
      expect(count - (dropped.at(-1) ?? 0)).toBeLessThanOrEqual(IMAGE_LIMITS.images);
    }
    expect([...new Set(dropped)]).toEqual([0, 6, 12, 18, 24]);
  });

  it("are limited by the bytes that were read, if the declared size is smaller", async () => {
    const large = all(6, 3 * 1024 * 1024);
    expect((await load([asks(...large)], filesOf(large))).filter(({ content }) => content)).toHaveLength(4);
    const understated = large.map((one) => ({ ...one, bytes: 0 }));
    const shown = (await load([asks(...understated)], filesOf(large))).map(
      ({ content }) => content?.bytes.length,
    );
    expect(shown).toEqual([undefined, ...Array.from({ length: 5 }, () => 3 * 1024 * 1024)]);
  });
});
