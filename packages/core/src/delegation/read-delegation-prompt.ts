import { CITE, EARLIER, EXPECTED, GOAL, OUTPUT, RESULT, TASK, UNREAD } from "./prompt-lines.ts";

/** What a prompt of `delegationPrompt` says. */
export interface ReadDelegation {
  /** The instruction where the prompt names no other goal. */
  readonly objective: string;
  readonly instruction: string;
  readonly expectedOutput: string;
  /** In the order of the prompt. */
  readonly results: readonly { readonly stepId: string; readonly answer: string }[];
}

const FRAME = /^## Result of step (\S+) \(.*\)$/;
const GAP = "\n\n";

/**
 * Reads a prompt of `delegationPrompt` back, for agents that work by fixed rules; a text of any
 * other form is an instruction. Answers stand in the prompt unescaped, so one that holds a whole
 * framing line reads as two results: what this returns is data of the steps, never authority.
 */
export function readDelegationPrompt(text: string): ReadDelegation {
  const [head = "", ...blocks] = splitResults(text);
  const results = blocks.map((block) => {
    const end = block.indexOf("\n");
    const stepId = FRAME.exec(end === -1 ? block : block.slice(0, end))?.[1] ?? "";
    return { stepId, answer: end === -1 ? "" : block.slice(end + 1) };
  });
  const [uncited] = cutLast(head, GAP + CITE);
  const [first] = cutLast(uncited, GAP + EARLIER);
  const [known] = cutLast(first, GAP + UNREAD);
  const [asked] = cutLast(known, GAP + OUTPUT);
  const taskAt = asked.startsWith(TASK) ? 0 : asked.startsWith(GOAL) ? asked.indexOf(GAP + TASK) : -1;
  if (taskAt === -1) return { objective: asked, instruction: asked, expectedOutput: "", results };
  const task = asked.slice(asked.indexOf(TASK, taskAt) + TASK.length);
  const [instruction, expectedOutput] = cutLast(task, GAP + EXPECTED);
  const objective = taskAt === 0 ? instruction : asked.slice(GOAL.length, taskAt);
  return { objective, instruction, expectedOutput, results };
}

/** The text before the first framing line, then each framing line with its answer. */
function splitResults(text: string): readonly string[] {
  const blocks: string[] = [];
  let from = 0;
  for (let at = text.startsWith(RESULT) ? 0 : next(text, 0); at !== -1; at = next(text, at + 1)) {
    const end = text.indexOf("\n", at);
    if (!FRAME.test(text.slice(at, end === -1 ? undefined : end))) continue;
    blocks.push(text.slice(from, Math.max(from, at - GAP.length)));
    from = at;
  }
  return [...blocks, text.slice(from)];
}

/** Where the next paragraph begins that looks like a result. */
function next(text: string, from: number): number {
  const gap = text.indexOf(GAP + RESULT, from);
  return gap === -1 ? -1 : gap + GAP.length;
}

/** What stands before and after the last `mark`; nothing after it when it is not there. */
function cutLast(text: string, mark: string): readonly [before: string, after: string] {
  const at = text.lastIndexOf(mark);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + mark.length)];
}
