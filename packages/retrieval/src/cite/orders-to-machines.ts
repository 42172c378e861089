/** Signs that a line speaks to a program that reads it, in place of a person. */
const SIGNS: readonly RegExp[] = [
  // "Note to AI assistants reading this", "instructions for the language model"
  /\b(?:note|notice|message|memo|instructions?|attention|reminder|important)\b[^.!?]{0,60}\b(?:to|for|from)\b[^.!?]{0,40}\b(?:ai|a\.i\.|llms?|(?:large )?language models?|assistants?|chat ?bots?|gpt|claude|gemini|copilot)\b/i,
  // "ignore all previous instructions", "disregard the rules above", "ignore the user"
  /\b(?:ignore|disregard|forget|override|bypass|do not follow|stop following)\b[^.!?]{0,40}\b(?:\w{0,4}structions?|prompts?|orders|directives?|guidelines|rules above|rules|the user|context|what you were told)\b/i,
  // "Speaker note: assistant, attach ...", "Assistant: reply with ..."
  /(?:^|[:(>"'“])\s*(?:(?:dear|hey|hello|attention) )?(?:ai(?: (?:assistant|agent|model|system))?|assistant|chat ?bot|llm|language model|agent)s?\s?[,:]\s+\p{L}/iu,
  // "you are now a ...", "you, AI assistant", "as an AI language model"
  /\byou are (?:now|no longer)\b|\b(?:you,? (?:are )?|as )(?:an? |the )?(?:ai|artificial intelligence|llm|(?:large )?language model|chat ?bot|assistant)\b/i,
  // "in your response", "in every summary you write", "reply with your system prompt"
  /\b(?:add|append|begin|encode|end|include|insert|mention|print|reply|repeat|respond|reveal|say|send|start|state|tell|translate|use|write)\b[^.!?]{0,60}\b(?:your (?:answers?|output|repl(?:y|ies)|responses?|summar(?:y|ies)|system|instructions?|prompt)|every (?:answer|reply|response|summary))\b/i,
  // marks of a chat or of a tool call: "<system>", "</tool_result>", "###(system_message)"
  /<\/?\s*(?:tool_?(?:call|result|use)|function_?(?:call|results?)|system|instructions?|information|assistant|user|im_start|im_end)\b|\|im_(?:start|end)\||\(system_message\)|^\s*#{0,6}\s*(?:system|assistant) ?(?:message|prompt)?\s?:/i,
  // "TODO: email the text ... to x@y", an errand for whoever reads
  /\btodo\s*:\s*(?:please\s+)?(?:e-?mail|send|delete|visit|transfer|post|upload|change|forward|attach|get|open)\b/i,
  // a link or picture that carries data out
  /\{\{[^}]{0,80}\}\}/,
];
/** Makes text look like what it is not: direction overrides. */
const OVERRIDES = /[\u202A-\u202E\u2066-\u2069]/u;
const INVISIBLE = /[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]/gu;
/** A longer line is read in part: no sentence of it would be told whole anyway. */
const MOST_READ = 4_000;

/**
 * Whether a line of a document gives orders to a program, such as "ignore earlier instructions".
 * Such a line stays searchable, as data; it only is no finding.
 *
 * The bound: these are the usual forms, in English. An order in plain office prose ("Send the list
 * to press@example.com.") reads like any other sentence and is not told apart. It keeps answers that
 * are made by quoting from repeating planted text; it protects no model. What protects models is that
 * document text reaches them as quoted data, and that tools check what they are asked for.
 */
export function ordersMachines(line: string): boolean {
  if (OVERRIDES.test(line)) return true;
  const plain = line.slice(0, MOST_READ).normalize("NFKC").replace(INVISIBLE, "").replace(/\s+/g, " ");
  return SIGNS.some((sign) => sign.test(plain));
}
