import { requirement, type Requirement } from "../requirement.ts";

/** Reading, listing and canceling tasks: 3.1.3 to 3.1.5, 3.2.4. */
export const TASKS: readonly Requirement[] = [
  requirement("get.task", "3.1.3", "DEFINED", "GetTask answers the task of that id."),
  requirement("get.repeatable", "3.3.1", "DEFINED", "A task at rest reads the same each time."),
  requirement(
    "get.unknown-task",
    "3.3.2",
    "MUST",
    "A task that does not exist is answered with TaskNotFoundError.",
  ),
  requirement(
    "get.history-length",
    "3.2.4",
    "MUST",
    "GetTask answers at most as many messages of history as asked for, and none for 0.",
  ),
  requirement("get.history-length-valid", "3.3.2", "MUST", "A negative historyLength is refused."),
  requirement(
    "list.fields",
    "3.1.4",
    "MUST",
    "A list has its tasks, the size of the page, the number of tasks in all and the token of the next page.",
  ),
  requirement(
    "list.last-page",
    "3.1.4",
    "MUST",
    "The field nextPageToken is there on each page, and empty on the last one.",
  ),
  requirement(
    "list.artifacts-left-out",
    "3.1.4",
    "MUST",
    "Listed tasks have no field artifacts, unless includeArtifacts asks for it.",
  ),
  requirement(
    "list.artifacts-included",
    "3.1.4",
    "DEFINED",
    "With includeArtifacts the artifacts are there.",
  ),
  requirement("list.order", "3.1.4", "MUST", "The task whose status changed last comes first."),
  requirement(
    "list.pages",
    "3.1.4",
    "MUST",
    "Pages follow one another by their tokens: each task once, none left out.",
  ),
  requirement("list.by-context", "3.1.4", "DEFINED", "Tasks are listed by context."),
  requirement("list.by-status", "3.1.4", "DEFINED", "Tasks are listed by the state they are in."),
  requirement(
    "list.by-time",
    "5.6.1",
    "MUST",
    "Tasks are listed by when their status changed; the time is read as ISO 8601.",
  ),
  requirement("list.history-length", "3.2.4", "DEFINED", "Listed tasks have at most the history asked for."),
  requirement("list.page-size-valid", "3.3.2", "MUST", "A page size below 1 or above 100 is refused."),
  requirement("list.token-valid", "3.3.2", "MUST", "A page token that the server did not make is refused."),
  requirement("list.time-valid", "3.3.2", "MUST", "A time to list from that is no time is refused."),
  requirement("list.default-page-size", "3.1.4", "DEFINED", "Without a page size at most 50 tasks come."),
  requirement("list.status-valid", "3.3.2", "MUST", "A status that is no task state is refused."),
  requirement(
    "cancel.running",
    "3.1.5",
    "DEFINED",
    "CancelTask answers the task, canceled, and it stays canceled.",
  ),
  requirement("cancel.repeatable", "3.3.1", "DEFINED", "Canceling once more changes nothing."),
  requirement(
    "cancel.terminal-task",
    "3.1.5",
    "DEFINED",
    "Canceling a task that has ended otherwise is refused with TaskNotCancelableError.",
  ),
  requirement(
    "cancel.unknown-task",
    "3.1.5",
    "DEFINED",
    "Canceling a task that does not exist is refused with TaskNotFoundError.",
  ),
];
