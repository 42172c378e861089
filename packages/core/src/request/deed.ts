import { clip } from "../text/clip.ts";
import { bare, oneLine, withoutCourtesy } from "./phrase.ts";

/** What only one who acts in the world can do: sending, changing, deleting, booking, translating. */
const VERBS =
  "e-?mail|mail|text|phone|call|ring|message|notify|remind|invite|delete|remove|erase|rename|move|upload|install|uninstall|deploy|restart|reboot|translate|book|reserve|rent|buy|pay|order|cancel|schedule|reschedule|sign|post|publish|tweet|change|edit|modify|update|fix|repair|hire|fire|turn (?:on|off)|switch (?:on|off)|approve|submit|forward|share";
/** Verbs that stand with what is wanted too: "send me a summary". */
const HANDING = "send|forward|share|mail|e-?mail|text";
/** They open what the deed is done to; a noun such as "book prices" goes on otherwise. */
const OBJECT =
  "(?:an?|the|this|that|these|those|all|every|each|some|any|my|our|your|his|her|their|its|it|him|them|me|us|two|three|everyone|everybody|someone)\\b";
const NAME = "\\p{Lu}\\p{Ll}+(?: \\p{Lu}\\p{Ll}+)?";
const DEED = new RegExp(
  [
    `^(?!(?:${HANDING}) (?:me|us)\\b(?! an? (?:reminder|invitation)))(?!order .+ by\\b)(?:${VERBS})\\s+${OBJECT}`,
    `^send\\s+(?!me\\b|us\\b)(?:${OBJECT}|e-?mails?\\b|messages?\\b)`,
    "^(?:write|draft|compose)\\s+(?:an?|the)\\s+(?:\\w+\\s+)?(?:e-?mail|letter|message|poem|song|program|code|script)\\b",
    "^make\\s+(?:an?|the)\\s+(?:(?:phone |telephone )?call|appointment|reservation|booking|payment)\\b",
    "^(?:set up|arrange|organi[sz]e)\\s+(?:an?|the)\\s+(?:\\w+\\s+)?(?:meeting|call|trip|appointment|event)\\b",
    "^set\\s+(?:an?|the)\\s+(?:alarm|reminder|timer)\\b",
  ].join("|"),
  "u",
);

/**
 * A person by name, after the verbs that take one. Titles are written in capitals too: "Call Center volume", "Email Security policy".
 */
const TO_A_PERSON = new RegExp(
  `^(?:(?:e-?mail|mail|text|phone|call|message|send) ${NAME} (?:an?|the|this|that|these|my|our|about)\\b|(?:invite|remind|notify) ${NAME})`,
  "u",
);
/** An order may be put as a question: the mark is its courtesy's. */
const COURTESY = /^(?:please )?(?:can|could|would|will) you\b/i;

const MAX_DEED = 100;

/**
 * The deed a line orders, in its own words and at most 100 characters; undefined where it asks or wants to be told something. A
 * question about deeds ("how do I book a trip?") is a question.
 */
export function deedIn(request: string): string | undefined {
  const line = oneLine(request);
  const order = bare(withoutCourtesy(line));
  // Capitals tell names, save at the beginning.
  const plain = order.charAt(0).toLowerCase() + order.slice(1);
  const named = (!line.includes("?") || COURTESY.test(line)) && TO_A_PERSON.test(plain);
  return named || DEED.test(plain) ? clip(plain, MAX_DEED) : undefined;
}
