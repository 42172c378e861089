import type { ModelEvent, StopReason } from "../ports/model.ts";
import type { Usage } from "@troupe/stream";

/** A whole answer, put together from its events. */
export interface CollectedAnswer {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  /** In order of their start; `ended` tells whether the call was closed. */
  readonly calls: readonly {
    readonly callId: string;
    readonly name: string;
    readonly arguments: string;
    readonly ended: boolean;
  }[];
  readonly usage: Usage | undefined;
  readonly stop: StopReason | undefined;
  /** What the stream threw; the rest is what came before. */
  readonly error: unknown;
}

/** Reads a model stream to its end and never throws: what broke it stands beside what it gave. */
export async function collectAnswer(stream: AsyncIterable<ModelEvent>): Promise<CollectedAnswer> {
  const events: ModelEvent[] = [];
  const calls: { callId: string; name: string; arguments: string; ended: boolean }[] = [];
  const callOf = (callId: string) => {
    const call = calls.findLast((one) => one.callId === callId);
    if (!call) throw new Error(`a tool call event names "${callId}", which was never started`);
    return call;
  };
  let text = "";
  let usage: Usage | undefined;
  let stop: StopReason | undefined;
  let error: unknown;
  try {
    for await (const event of stream) {
      events.push(event);
      if (event.type === "text-delta") text += event.text;
      else if (event.type === "tool-call-start")
        calls.push({ callId: event.callId, name: event.name, arguments: "", ended: false });
      else if (event.type === "tool-call-delta") callOf(event.callId).arguments += event.delta;
      else if (event.type === "tool-call-end") callOf(event.callId).ended = true;
      else if (event.type === "usage") usage = event.usage;
      else stop = event.reason;
    }
  } catch (thrown) {
    error = thrown;
  }
  return { events, text, calls, usage, stop, error };
}
