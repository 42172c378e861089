import { referenceStream, type ReferenceStream } from "@troupe/stream";

import type { Evidence } from "./evidence.ts";
import type { Emit } from "./text-item.ts";

/**
 * Sources keep their numbers in everything that a run emits, so streamed text and response are the same. Only
 * those that the model names as `step/id`, and tables, are rewritten, to the id or number that they have in the response.
 */
export function numberSources(evidence: Evidence, emit: Emit): Emit {
  /** Items whose text may name such a source. Known when an item starts: tools return tables between rounds only. */
  const items = new Map<string, ReferenceStream>();
  const show = (itemId: string, delta: string): void => {
    if (delta !== "") emit({ type: "text-delta", itemId, delta });
  };
  return (body) => {
    switch (body.type) {
      case "text-start":
        if (evidence.hasRenamedSources)
          items.set(
            body.itemId,
            referenceStream((id) => evidence.sourceId(id)),
          );
        emit(body);
        return;
      case "text-delta": {
        const item = items.get(body.itemId);
        if (item === undefined) emit(body);
        else show(body.itemId, item.push(body.delta));
        return;
      }
      case "attempt-start":
        // Held text of a superseded item is emitted before the item is superseded.
        for (const id of body.items ?? []) show(id, items.get(id)?.end() ?? "");
        emit(body);
        return;
      case "text-role":
      case "text-end":
        show(body.itemId, items.get(body.itemId)?.end() ?? "");
        emit(body);
        return;
      case "finish": {
        const { response } = body;
        const isNumbered = body.answerItems.some((id) => items.has(id));
        emit(
          isNumbered
            ? { ...body, response: { ...response, content: evidence.numbered(response.content) } }
            : body,
        );
        return;
      }
      default:
        emit(body);
    }
  };
}
