import { referenceStream, type ReferenceStream } from "@troupe/stream";

import type { Evidence } from "./evidence.ts";
import type { Emit } from "./text-item.ts";

interface ShownItem {
  readonly stream: ReferenceStream;
  readonly parts: string[];
}

/**
 * Sources keep their numbers in everything that a run emits, so streamed text and response are the same. Only
 * those that the model names as `step/id` are rewritten, to the id that the passage or chart has in the response.
 */
export function numberSources(evidence: Evidence, emit: Emit): Emit {
  if (!evidence.hasStepSources) return emit;
  const items = new Map<string, ShownItem>();
  const show = (itemId: string, item: ShownItem, delta: string): void => {
    if (delta === "") return;
    item.parts.push(delta);
    emit({ type: "text-delta", itemId, delta });
  };
  return (body) => {
    switch (body.type) {
      case "text-start":
        items.set(body.itemId, { stream: referenceStream((id) => evidence.sourceId(id)), parts: [] });
        emit(body);
        return;
      case "text-delta": {
        const item = items.get(body.itemId);
        if (item === undefined) throw new TypeError(`text of item "${body.itemId}", which was not started`);
        show(body.itemId, item, item.stream.push(body.delta));
        return;
      }
      case "attempt-start": {
        // All of a text that is superseded comes before that.
        for (const id of body.items ?? []) {
          const item = items.get(id);
          if (item !== undefined) show(id, item, item.stream.end());
        }
        emit(body);
        return;
      }
      case "text-role":
      case "text-end": {
        const item = items.get(body.itemId);
        if (item !== undefined) show(body.itemId, item, item.stream.end());
        emit(body);
        return;
      }
      case "finish": {
        const content = body.answerItems.flatMap((id) => items.get(id)?.parts ?? []).join("");
        emit({ ...body, response: { ...body.response, content } });
        return;
      }
      default:
        emit(body);
    }
  };
}
