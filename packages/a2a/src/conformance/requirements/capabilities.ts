import { OVER_HTTP, requirement, type Requirement } from "../requirement.ts";

const push = { applies: "push" } as const;

/** What a card may offer, and who may have it: 3.1.7 to 3.1.11, 3.3.4, 4.6, 7, 13. */
export const CAPABILITIES: readonly Requirement[] = [
  requirement(
    "push.refused",
    "3.3.4",
    "MUST",
    "Without the capability all push operations are refused with PushNotificationNotSupportedError.",
    { applies: "no-push" },
  ),
  requirement("push.create", "3.1.7", "MUST", "A configuration is taken, given an id, and kept.", push),
  requirement(
    "push.with-message",
    "3.2.2",
    "DEFINED",
    "A configuration that comes with a message is kept.",
    push,
  ),
  requirement("push.get", "3.1.8", "MUST", "A configuration is answered with its address.", push),
  requirement("push.get-missing", "3.1.8", "MUST", "A configuration that is not there is an error.", push),
  requirement("push.list", "3.1.9", "MUST", "All configurations of a task are listed.", push),
  requirement("push.delete", "3.1.10", "MUST", "A deleted configuration is gone.", push),
  requirement("push.delete-again", "3.1.10", "MUST", "Deleting once more does the same.", push),
  requirement(
    "push.delivers",
    "4.3.3",
    "MUST",
    "Each configuration is delivered to at least once, with the credentials it names.",
    push,
  ),
  requirement(
    "streaming.refused",
    "3.3.4",
    "MUST",
    "Without the capability both streaming operations are refused with UnsupportedOperationError.",
    { applies: "no-streaming" },
  ),
  requirement(
    "extensions.required",
    "3.3.4",
    "MUST",
    "A call that does not name a required extension is refused with ExtensionSupportRequiredError.",
    { applies: "required-extension" },
  ),
  requirement(
    "extensions.no-fallback",
    "4.6.3",
    "MUST",
    "Another version of an extension than the card's is passed over, and the card's not taken for it.",
    { applies: "extensions" },
  ),
  requirement("auth.missing", "3.3.2", "MUST", "Without credentials every operation is refused.", {
    applies: "authentication",
  }),
  requirement("auth.invalid", "3.3.2", "MUST", "With false credentials every operation is refused.", {
    applies: "authentication",
  }),
  requirement("auth.challenge", "7.4", "SHOULD", "Who is refused is told how to authenticate.", {
    applies: "authentication",
    ...OVER_HTTP,
  }),
  requirement(
    "auth.not-permitted",
    "3.3.2",
    "MUST",
    "A known caller without the right to use the agent is refused.",
    { applies: "authentication" },
  ),
  requirement(
    "auth.own-tasks",
    "13.1",
    "MUST",
    "A caller sees, lists, cancels and follows own tasks only; another's are as if they did not exist.",
    { applies: "authentication" },
  ),
];
