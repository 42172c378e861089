import { isDeepStrictEqual } from "node:util";

import { Role, type Message, type Task } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import type { RunnableAgent } from "@troupe/core";

import { COLLECTION, isDelegation } from "../../wire/request.ts";
import type { Found } from "./found.ts";

/**
 * Throws a `RequestMalformedError` where a message has the id of another one, which led to this task: whoever sent
 * it would take the answer to that for its own. Words and data are compared, and of the metadata what says what is
 * asked: the collection, and `asksIn` of the agent. All else may differ when a message is sent again, such as the
 * trace, what only its sender reads, and where its files are. A delegation is what a run journaled to ask under its
 * id, however little time it has left by now.
 */
export function checkSameMessage(
  message: Message,
  found: Found,
  { asksIn = [] }: Pick<RunnableAgent, "asksIn">,
): void {
  const task = taskIn(found);
  const first = task.history.find(
    ({ messageId, role }) => messageId === message.messageId && role === Role.ROLE_USER,
  );
  // Nothing to compare it with is kept of a task that was lost.
  if (first === undefined) return;
  // One that was queued went to a task that was busy, and is a task of its own.
  const sameTask = ["", task.id, ...first.referenceTaskIds].includes(message.taskId);
  const keys = [COLLECTION, ...asksIn];
  const same = isDelegation(first) || isDeepStrictEqual(askedIn(first, keys), askedIn(message, keys));
  if (sameTask && same) return;
  throw new RequestMalformedError(
    `message.messageId "${message.messageId}" is that of another message, which task ${task.id} was sent; give each message an id of its own.`,
  );
}

function taskIn(found: Found): Task {
  if ("run" in found) return found.run.task;
  return "elsewhere" in found ? found.elsewhere.snapshot() : found.task;
}

/** As stores keep it, which is as JSON. In metadata null is as good as none. */
function askedIn({ parts, metadata }: Message, keys: readonly string[]): unknown {
  const said = parts.flatMap(({ content }) =>
    content?.$case === "text" || content?.$case === "data" ? [[content.$case, content.value]] : [],
  );
  const asked: unknown[] = keys.map((key) => metadata?.[key] ?? null);
  return JSON.parse(JSON.stringify([said, asked]));
}
