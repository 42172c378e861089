import type { PlaybookCall, PlaybookMove } from "./playbook.ts";

/**
 * The same move, where an answer that it ends with says which wishes it does not follow, and is a part of one
 * for that. Rules that pass over what was asked in silence would be taken for having done it.
 */
export function sayNotUsed(move: PlaybookMove, wishes: readonly string[]): PlaybookMove {
  if (wishes.length === 0 || move.calls === undefined) return move;
  const said = wishes.map((wish) => `Not used: ${wish}.`).join("\n");
  const calls = move.calls.map((call): PlaybookCall => {
    const { content } = call.arguments;
    if (call.name !== "finish" || typeof content !== "string") return call;
    return {
      ...call,
      arguments: { ...call.arguments, content: `${content}\n\n${said}`, is_task_complete: false },
    };
  });
  return { ...move, calls };
}

/** Said where an answer is to be shorter and has nothing left that rules can leave out. */
export const NO_SHORTER =
  "Fixed rules can leave out no more of it; to say it in fewer words takes a model, which is not set.";
