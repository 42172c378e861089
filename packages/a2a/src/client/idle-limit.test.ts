import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { withIdleLimit } from "./idle-limit.ts";

const encoder = new TextEncoder();

function served(contentType: string) {
  let source: ReadableStreamDefaultController<Uint8Array> | undefined;
  let canceled: unknown;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      source = controller;
    },
    cancel(reason) {
      canceled = reason;
    },
  });
  const response = new Response(body, { status: 203, headers: { "Content-Type": contentType } });
  const clock = virtualClock();
  const limited = withIdleLimit(
    () => Promise.resolve(response),
    clock,
    {
      idleMs: 1_000,
      firstEventMs: 3_000,
    },
    "The agent",
  );
  return {
    clock,
    response,
    open: () => limited("http://127.0.0.1"),
    send: (text: string) => source?.enqueue(encoder.encode(text)),
    close: () => source?.close(),
    canceled: () => canceled,
  };
}

describe("the idle limit", () => {
  it("passes on what comes, as long as something comes", async () => {
    const { clock, open, send, close } = served("text/event-stream; charset=utf-8");
    const response = await open();
    expect(response.status).toBe(203);
    const reader = response.body?.getReader();
    const whole = async (): Promise<string> => {
      let text = "";
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
        text += new TextDecoder().decode(part.value);
      return text;
    };
    const text = whole();
    for (const part of ["a", "b", "c"]) {
      await clock.advance(900);
      send(part);
    }
    await clock.advance(900);
    close();
    expect(await text).toBe("abc");
    expect(clock.pending).toBe(0);
  });

  it("breaks a stream on which nothing comes, and lets go of the connection", async () => {
    const { clock, open, send, canceled } = served("text/event-stream");
    const reader = (await open()).body?.getReader();
    send("a");
    await reader?.read();
    const next = reader?.read().catch((error: unknown) => error);
    await clock.advance(1_000);
    expect(await next).toMatchObject({
      code: "agent.timeout",
      message: "The agent fell silent: nothing came on its stream for 1 s.",
    });
    expect(canceled()).toMatchObject({ code: "agent.timeout" });
  });

  it("waits longer for the first that comes than for what follows", async () => {
    const { clock, open, send } = served("text/event-stream");
    const reader = (await open()).body?.getReader();
    const first = reader?.read();
    await clock.advance(2_900);
    send("a");
    expect((await first)?.done).toBe(false);
    const silent = served("text/event-stream");
    const never = (await silent.open()).body?.getReader().read();
    const broken = never?.catch((error: unknown) => error);
    await silent.clock.advance(3_000);
    expect(await broken).toMatchObject({
      message: expect.stringMatching(/nothing came on its stream for 3 s/) as unknown,
    });
    await reader?.cancel();
    expect(clock.pending).toBe(0);
  });

  it("leaves no timer behind when the reader leaves, and other answers alone", async () => {
    const { clock, open } = served("text/event-stream");
    const response = await open();
    await response.body?.cancel("enough");
    await clock.advance(0);
    expect(clock.pending).toBe(0);
    const plain = served("application/json");
    expect(await plain.open()).toBe(plain.response);
  });

  it("gives the same text however it is read, also where a character is cut in two", async () => {
    const bytes = encoder.encode("data: é\u{1F600}\n\n");
    const limits = { idleMs: 1_000, firstEventMs: 1_000 };
    const read = async (decoded: (body: ReadableStream<Uint8Array>) => ReadableStream<string>) => {
      const source = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
          // Cut off in the middle of a character: told as such, never dropped.
          controller.enqueue(Uint8Array.of(0xe2, 0x82));
          controller.close();
        },
      });
      const answer = new Response(source, { headers: { "Content-Type": "text/event-stream" } });
      const clock = virtualClock();
      const { body } = await withIdleLimit(
        () => Promise.resolve(answer),
        clock,
        limits,
        "The agent",
      )("http://127.0.0.1");
      if (body === null) throw new Error("no body");
      let text = "";
      // As the reader of event streams takes it.
      const reader = decoded(body).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
      expect(clock.pending).toBe(0);
      return text;
    };
    const decoding = await read((body) => body.pipeThrough(new TextDecoderStream()));
    const copying = await read((body) =>
      body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>()).pipeThrough(new TextDecoderStream()),
    );
    expect([decoding, copying]).toEqual(Array(2).fill("data: é\u{1F600}\n\n\ufffd"));
  });
});
