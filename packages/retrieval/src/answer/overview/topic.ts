const COUNT = "(?:\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)";
/** How long it is to be: "in ten slides". */
const LENGTH = new RegExp(
  `[,;]?\\s+(?:(?:in|on|with|as|for|of)\\s+)?(?:about\\s+|at most\\s+|no more than\\s+)?${COUNT}[- ](?:slides?|pages?|minutes?|bullets?)(?:\\s+(?:talk|deck|presentation))?$`,
  "i",
);
const READERS =
  "(?:customers?|clients?|investors?|board(?: of directors)?|management|employees|staff|colleagues|students|pupils|parents|patients|partners|users|sales(?: team)?|beginners|newcomers|team|developers|public|audience|meeting|hires)";
/** For whom it is: after a comma, or by a word that says that they do not know the subject yet. */
const AUDIENCE = new RegExp(
  `(?:[,;]\\s*(?:meant |made |written )?(?:for|to)\\s+(?:[\\p{L}-]+\\s+){0,3}?|\\s+for\\s+(?:our\\s+|the\\s+)?(?:new|potential|prospective|future)\\s+)${READERS}$`,
  "iu",
);
/** What a name is, said after it: "Kompass, our assistant". */
const APPOSITION =
  /^((?:(?:the|our) )?\p{Lu}[\p{L}\p{N} .'’-]{0,60}), (?:our|the|an?) (?:(?! and )[^,]){1,80},?$/u;

/** The subject without what says for whom, how long and in other words. */
export function topicOf(subject: string): string {
  const plain = subject.trim().replace(/[.!?\s]+$/, "");
  const rest = plain.replace(LENGTH, "").replace(AUDIENCE, "").replace(LENGTH, "").trim();
  const named = APPOSITION.exec(rest)?.[1];
  return named ?? (rest === "" ? subject : rest);
}

/** The things a subject joins: "our products and how customers use them". One where it joins none. */
export const thingsIn = (topic: string): readonly string[] =>
  topic
    .split(/\s*,\s*(?:and\s+)?|\s+and\s+/i)
    .map((thing) => thing.trim())
    .filter((thing) => thing !== "")
    .slice(0, 4);
