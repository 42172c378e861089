const REFERENCE = /\[([^[\]\n]{1,120})\]/g;
/** Characters of a reference that may be incomplete, its opening bracket included. */
const MAX_OPEN = 121;

/** Rewrites one text piece by piece. */
export interface ReferenceStream {
  /** The part of the text that is certain by now. */
  push(piece: string): string;
  /** What was held back, once no more text comes. */
  end(): string;
}

/** The ids between the brackets of a reference: one, or a list such as `[2, 3]` or `[a/1; b/2]`. */
function idsOfReference(inside: string): readonly string[] {
  return inside.split(/[,;]/).map((id) => id.trim());
}

/** The ids of every pair of brackets in a text, sources or not. */
export function referencedIds(text: string): readonly string[] {
  return [...text.matchAll(REFERENCE)].flatMap(([, inside = ""]) => idsOfReference(inside));
}

/**
 * Rewrites the references of a text. `idOf` gives the new id of a source, undefined for what is none; brackets
 * with anything else than sources stay as they are. All at once: one by one, `1 -> 2` and then `2 -> 3` would
 * turn a 1 into a 3.
 */
export function rewriteReferences(text: string, idOf: (id: string) => string | undefined): string {
  return text.replace(REFERENCE, (whole, inside: string) => {
    const ids = idsOfReference(inside);
    const renamed = ids.map(idOf);
    const same = renamed.every((id, index) => id === undefined || id === ids[index]);
    return same || renamed.includes(undefined) ? whole : `[${renamed.join(", ")}]`;
  });
}

/** The same for a text that arrives in pieces: what may be the beginning of a reference is held back. */
export function referenceStream(idOf: (id: string) => string | undefined): ReferenceStream {
  let held = "";
  return {
    push(piece) {
      const text = held + piece;
      const open = text.lastIndexOf("[");
      const tail = open === -1 ? "" : text.slice(open);
      held = tail.length > MAX_OPEN || /[\]\n]/.test(tail) ? "" : tail;
      return rewriteReferences(text.slice(0, text.length - held.length), idOf);
    },
    end() {
      const text = held;
      held = "";
      return text;
    },
  };
}
