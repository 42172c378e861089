import { keyOf } from "../../store/key-of.ts";

/** Turns of one conversation that may wait at a time. */
const MAX_WAITING = 20;

/** A place in the line of a conversation. */
export interface Place {
  /** Resolves when all that came before is over. */
  readonly turn: Promise<void>;
  /** Lets the next one begin. To be called once, whatever became of the turn. */
  leave(): void;
}

/** Lets the turns of a conversation that wait go one at a time, in the order they came. */
export class ConversationLanes {
  readonly #lanes = new Map<string, { waiting: number; last: Promise<void> }>();

  /** Waits for these turns and for whoever is in line already. Undefined when the line is full. */
  join(
    owner: string,
    contextId: string,
    before: readonly { readonly whenSettled: Promise<void> }[],
  ): Place | undefined {
    const conversation = keyOf(owner, contextId);
    const lane = this.#lanes.get(conversation) ?? { waiting: 0, last: Promise.resolve() };
    if (lane.waiting >= MAX_WAITING) return undefined;
    this.#lanes.set(conversation, lane);
    lane.waiting++;
    const left = Promise.withResolvers<void>();
    // However a turn before it ends, its own comes.
    const turn = Promise.allSettled([lane.last, ...before.map(({ whenSettled }) => whenSettled)]).then(
      () => undefined,
    );
    lane.last = turn.then(() => left.promise);
    return {
      turn,
      leave: () => {
        left.resolve();
        if (--lane.waiting === 0) this.#lanes.delete(conversation);
      },
    };
  }
}
