import { requirement, type Requirement } from "../requirement.ts";

/** Sending a message: 3.1.1, 3.2.2, 3.4. */
export const SENDING: readonly Requirement[] = [
  requirement("send.answers", "3.1.1", "MUST", "SendMessage answers with either a task or a message."),
  requirement(
    "send.blocking-waits",
    "3.2.2",
    "MUST",
    "Unless told otherwise, SendMessage waits until the task has ended or waits for its caller.",
  ),
  requirement(
    "send.latest-state",
    "3.2.2",
    "MUST",
    "What a waiting SendMessage answers has the task's last status and all its artifacts.",
  ),
  requirement(
    "send.returns-immediately",
    "3.2.2",
    "MUST",
    "With returnImmediately the task is answered while it is still being worked on.",
  ),
  requirement("send.task-ids-unique", "3.4.2", "MUST", "Each new task gets an id of its own, and tells it."),
  requirement(
    "send.context-told",
    "3.4.1",
    "MUST",
    "A context id that the server made stands in what it answers.",
  ),
  requirement(
    "send.context-kept-or-refused",
    "3.4.1",
    "MUST",
    "A context id of the caller's is kept, or the message refused; it is never replaced by another.",
  ),
  requirement(
    "send.unknown-task",
    "3.4.2",
    "MUST",
    "A message to a task that does not exist is refused with TaskNotFoundError.",
  ),
  requirement(
    "send.context-inferred",
    "3.4.3",
    "MUST",
    "A message that names only its task belongs to the context of that task.",
  ),
  requirement(
    "send.context-mismatch",
    "3.4.3",
    "MUST",
    "A message whose context is not that of its task is refused.",
  ),
  requirement(
    "send.continues",
    "3.4.3",
    "DEFINED",
    "A reply to a task that asked for input goes on with that task.",
  ),
  requirement(
    "send.terminal-task",
    "3.1.1",
    "DEFINED",
    "A message to a task that has ended is refused with UnsupportedOperationError.",
  ),
  requirement(
    "send.history-length",
    "3.2.4",
    "MUST",
    "SendMessage answers at most as many messages of history as asked for.",
  ),
  requirement("send.needs-message", "3.3.2", "MUST", "A request without a message is refused."),
  requirement("send.needs-parts", "5.7", "MUST", "A message without parts is refused."),
  requirement("send.needs-content", "3.3.2", "MUST", "A message with a part that has no content is refused."),
  requirement("send.needs-message-id", "5.7", "SHOULD", "A message without messageId is refused as invalid."),
  requirement("send.needs-role", "5.7", "SHOULD", "A message without a role is refused as invalid."),
  requirement(
    "send.wrong-types",
    "3.3.2",
    "MUST",
    "A request whose fields have the wrong types is refused, not worked on.",
  ),
  requirement(
    "send.null-fields",
    "5.5",
    "DEFINED",
    "A field that is null counts as absent, as ProtoJSON has it.",
  ),
  requirement(
    "send.part-kinds",
    "3.1.1",
    "DEFINED",
    "Parts of data and files are taken, or refused with ContentTypeNotSupportedError.",
  ),
  requirement("send.unknown-fields", "5.7", "SHOULD", "Fields that are not known are passed over."),
  requirement(
    "auth-required.is-a-task",
    "7.6.1",
    "MUST",
    "An agent that needs its caller to authorize something does so with a task in TASK_STATE_AUTH_REQUIRED.",
  ),
  requirement(
    "auth-required.explained",
    "7.6.1",
    "MUST",
    "The status of a task that needs authorization has a message that explains which.",
  ),
];
