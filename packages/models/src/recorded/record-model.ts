import type { Model, ModelEvent } from "@troupe/core";
import type { Usage } from "@troupe/stream";

import { describeRequest, type RecordedTurn } from "./recording.ts";

export interface RecordOptions {
  /** Name of the process, such as `rag-agent`. */
  readonly agent: string;
  /** Takes each answer as one line of JSON with its line break. */
  readonly write: (line: string) => void;
}

/** The same model; its complete answers are recorded. Calls that fail or are aborted are not. */
export function recordModel(model: Model, { agent, write }: RecordOptions): Model {
  return {
    ...model,
    async *stream(request, options) {
      const turn = new TurnBuilder();
      for await (const event of model.stream(request, options)) {
        turn.take(event);
        yield event;
        if (event.type !== "stop") continue;
        const recorded: RecordedTurn = {
          v: 1,
          agent,
          ...describeRequest(request),
          text: turn.text,
          calls: turn.calls,
          stop: event.reason,
          model: model.id,
          ...(turn.usage === undefined ? {} : { usage: turn.usage }),
        };
        write(`${JSON.stringify(recorded)}\n`);
      }
    },
  };
}

class TurnBuilder {
  text = "";
  usage: Usage | undefined;
  readonly #calls = new Map<string, { readonly name: string; arguments: string }>();

  get calls(): RecordedTurn["calls"] {
    return [...this.#calls.values()];
  }

  take(event: ModelEvent): void {
    if (event.type === "text-delta") this.text += event.text;
    if (event.type === "usage") this.usage = event.usage;
    if (event.type === "tool-call-start") this.#calls.set(event.callId, { name: event.name, arguments: "" });
    if (event.type === "tool-call-delta") {
      const call = this.#calls.get(event.callId);
      if (call !== undefined) call.arguments += event.delta;
    }
  }
}
