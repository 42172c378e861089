import { isMap, isPair, isScalar, isSeq, type Document } from "yaml";

/** Levels a file may be nested; a workflow needs eight. */
const MAX_DEPTH = 100;

interface GivenTwice {
  readonly key: string;
  /** Where the second one stands, in UTF-16 units from the beginning. */
  readonly offset: number;
}

/**
 * Looks at the whole document once, level by level rather than by recursion, so that it holds for
 * any depth: keys given twice in one map, in the order of the file, and whether it is nested too deep.
 * The parser's own check compares each key with each other one.
 */
export function walkDocument(document: Document): {
  readonly tooDeep: boolean;
  readonly twice: readonly GivenTwice[];
} {
  const twice: GivenTwice[] = [];
  let level: readonly unknown[] = [document.contents];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return { tooDeep: true, twice };
    const next: unknown[] = [];
    for (const node of level) {
      if (!isMap(node) && !isSeq(node)) continue;
      const keys = new Set<string>();
      for (const item of node.items) {
        if (!isPair(item)) {
          next.push(item);
          continue;
        }
        next.push(item.value);
        if (!isScalar(item.key)) continue;
        const key = String(item.key.value);
        if (keys.has(key)) twice.push({ key, offset: item.key.range?.[0] ?? 0 });
        keys.add(key);
      }
    }
    level = next;
  }
  return { tooDeep: false, twice: twice.sort((a, b) => a.offset - b.offset) };
}
