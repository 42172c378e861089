/** A stretch of a result that was streamed, and where in the streamed text it stands; UTF-16 units. */
export interface Stretch {
  /** How much of the result it is. */
  readonly length: number;
  readonly from: number;
  readonly to: number;
}

export interface Agreement {
  readonly stretches: readonly Stretch[];
  /** Where the agreement ends in each. */
  readonly inResult: number;
  readonly inText: number;
}

/** `[7]`, or `[step/7]`. */
const MARK = /\[(?:[^[\]\s/]{1,64}\/)?\d{1,6}\]/y;

/**
 * How far a result says what a text said. A citation mark agrees with any other: an agent that hands
 * on another's answer numbers its sources anew at the end, so `[7]` was streamed and `[1]` is the result.
 */
export function agreement(result: string, inResult: number, text: string, inText: number): Agreement {
  const stretches: Stretch[] = [];
  let [r, t] = [inResult, inText];
  let begun = t;
  const close = (): void => {
    if (t > begun) stretches.push({ length: t - begun, from: begun, to: t });
  };
  for (; r < result.length && t < text.length; r++, t++) {
    if (result[r] !== text[t]) break;
    if (text[t] !== "[") continue;
    const [numbered, said] = [markAt(result, r), markAt(text, t)];
    if (numbered === 0 || said === 0) continue;
    if (numbered !== said) {
      close();
      stretches.push({ length: numbered, from: t, to: t + said });
      begun = t + said;
    }
    r += numbered - 1;
    t += said - 1;
  }
  close();
  return { stretches, inResult: r, inText: t };
}

/** Length of the mark that begins there; 0 where none does. */
function markAt(text: string, at: number): number {
  MARK.lastIndex = at;
  return MARK.exec(text)?.[0].length ?? 0;
}
