import { SourceNumbers, type SourceNumberStream } from "@troupe/stream";

import type { Evidence } from "./evidence.ts";
import type { Emit } from "./text-item.ts";

interface ShownItem {
  readonly stream: SourceNumberStream;
  readonly parts: string[];
}

/**
 * Numbers the sources in all that a run emits as a reader wants them: 1, 2, 3 ... in the order in which
 * its texts name them, the same while text is streamed and in the response. Within the run sources keep
 * the ids under which the model knows them.
 */
export function numberSources(evidence: Evidence, emit: Emit): Emit {
  const numbers = new SourceNumbers((id) => evidence.hasSource(id));
  const items = new Map<string, ShownItem>();
  const show = (itemId: string, item: ShownItem, delta: string): void => {
    if (delta === "") return;
    item.parts.push(delta);
    emit({ type: "text-delta", itemId, delta });
  };
  return (body) => {
    switch (body.type) {
      case "text-start":
        items.set(body.itemId, { stream: numbers.stream(), parts: [] });
        emit(body);
        return;
      case "text-delta": {
        const item = items.get(body.itemId);
        if (item === undefined) throw new TypeError(`text of item "${body.itemId}", which was not started`);
        // Nothing can be a reference yet, so nothing has to be held back.
        show(body.itemId, item, evidence.hasSources ? item.stream.push(body.delta) : body.delta);
        return;
      }
      case "text-role":
      case "text-end": {
        const item = items.get(body.itemId);
        if (item !== undefined) show(body.itemId, item, item.stream.end());
        emit(body);
        return;
      }
      case "citation":
        emit({ type: "citation", citation: { ...body.citation, id: numbers.numberOf(body.citation.id) } });
        return;
      case "finish": {
        const { response, answerItems } = body;
        const content = answerItems.flatMap((id) => items.get(id)?.parts ?? []).join("");
        const citations = numbers.order(response.citations);
        emit({ ...body, response: { ...response, content, citations } });
        return;
      }
      default:
        emit(body);
    }
  };
}
