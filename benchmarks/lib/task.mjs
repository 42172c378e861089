// The task that ours and the peers all do: `rounds` calls of one tool, then an answer in pieces.
export const PROMPT = "What is the pH of the lake?";
export const SYSTEM = "You answer from what the tool says.";
export const TOOL = "measure";
export const TOOL_TEXT = "pH 7.4 at 12 degrees";
export const ARGUMENTS = { place: "lake", depth: 3 };
/** About what one token is: a word with its space. */
export const TOKEN = "water ";
export const ANSWER_TOKENS = 20;

/** Throws when a run did not do the task, so that nothing is fast by doing less. */
export function check(who, { answer, toolRuns }, { rounds, tokens }) {
  if (answer !== TOKEN.repeat(tokens) || toolRuns !== rounds) {
    throw new Error(
      `${who} did not do the task: ${toolRuns} of ${rounds} tool runs, ${answer.length} characters`,
    );
  }
}

/** The fields of `finish` beside its content: the task is complete, and nothing is asked. */
export const COMPLETE = {
  is_task_complete: true,
  require_user_input: false,
  user_input: "",
  input_fields: [],
  citation_ids: [],
  chart_ids: [],
};
