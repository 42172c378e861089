import { Role, type Message } from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import { clip } from "@troupe/core";

import { isHttpUrl, storedFileOf } from "../../wire/file-part.ts";

/** Whatever characters they are of, a store can find tasks by ids of this length. */
const MAX_ID = 256;

/** Names in the metadata of a message, or of a part. It is taken apart again at each step; what is much is data. */
const MAX_METADATA = 1_000;

/** Nobody was given one so long, so there is no need to look, or to repeat it. Throws a `TaskNotFoundError`. */
export function checkTaskId(id: string): string {
  if (id.length > MAX_ID) throw new TaskNotFoundError(`Task not found: ${id.slice(0, 100)}...`);
  return id;
}

/**
 * What the SDK lets through and no agent can work with. A 0.3 body on the 1.0 endpoint shows here
 * too: its role and parts are not understood.
 */
export function checkMessage(message: Message | undefined): Message {
  if (message === undefined) throw new RequestMalformedError("message is missing.");
  if (message.messageId.trim() === "") throw new RequestMalformedError("message.messageId is missing.");
  for (const name of ["messageId", "contextId"] as const)
    if (message[name].length > MAX_ID)
      throw new RequestMalformedError(
        `message.${name} has ${message[name].length} characters; it may have ${MAX_ID} at most.`,
      );
  checkTaskId(message.taskId);
  if (message.role !== Role.ROLE_USER)
    throw new RequestMalformedError("message.role must be ROLE_USER: only a caller sends messages.");
  if (message.parts.length === 0)
    throw new RequestMalformedError("message.parts is empty: send at least one part.");
  checkMetadata("message", message.metadata);
  message.parts.forEach((part, at) => checkMetadata(`message.parts[${at}]`, part.metadata));
  const at = message.parts.findIndex((part) => part.content === undefined);
  if (at >= 0)
    throw new RequestMalformedError(
      `message.parts[${at}] has no content: one of text, data, url or raw is needed.`,
    );
  message.parts.forEach((part, index) => {
    const { content } = part;
    // A caller may mark a part as stored too, but `landFiles` removes such marks.
    if (content?.$case === "url" && !isHttpUrl(content.value) && storedFileOf(part) === undefined)
      throw new RequestMalformedError(
        `message.parts[${index}].url ${JSON.stringify(clip(content.value, 80))} is not an http or https address.`,
      );
  });
  return message;
}

/** Over 0.3 it may be null. */
function checkMetadata(of: string, metadata: object | null | undefined): void {
  const count = Object.keys(metadata ?? {}).length;
  if (count > MAX_METADATA)
    throw new RequestMalformedError(
      `${of}.metadata has ${count} entries; it may have ${MAX_METADATA} at most. Send more as a data part.`,
    );
}
