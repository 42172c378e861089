import { splitSentences } from "@troupe/core/text";

/** Who is spoken to: a model, in words that people do not go by. A bare "assistant" or "agent" may be a person. */
const MODEL =
  "(?:(?:ai|a\\.i\\.) (?:assistants?|agents?|models?|systems?|chat ?bots?)|llms?|(?:large )?language models?|chat ?bots?)";
/** What only a model is told to do: something about its own answer, prompt or tools. */
const OWN =
  "(?:(?:in|of|to|from) (?:your|every|each|the|all) (?:\\w+ )?(?:answers?|repl(?:y|ies)|responses?|outputs?|summar(?:y|ies))\\b|your (?:answers?|repl(?:y|ies)|responses?|outputs?|summar(?:y|ies)|system prompt|instructions)\\b|(?:call|invoke|run|use) (?:the|your) \\w+ tool\\b|(?:this|the) conversation\\b)";

const MARKS: readonly RegExp[] = [
  // "ignore all previous instructions", "disregard the instructions above"
  /\b(?:ignore|disregard|forget)\s+(?:(?:all|any|every|of|the|these|those|my|your|other)\s+){0,4}(?:previous|prior|earlier|preceding|above|system)\s+(?:\w+\s+)?(?:\w{0,4}structions?|prompts?|directives?)\b/i,
  /\b(?:ignore|disregard|forget)\s+(?:(?:all|any|every|of|the|these|those|my|your)\s+){1,4}(?:\w{0,4}structions?|prompts?)\s+(?:above|before this|so far|you (?:were|have been) given)\b/i,
  // marks of a chat or of a tool call
  /<\/?\s*(?:tool_?(?:calls?|results?|use)|function_?(?:calls?|results?)|system(?:_(?:prompt|message))?|im_(?:start|end))\b[^<>]{0,80}>|<\|?im_(?:start|end)\|?>|\(system_message\)|<\/?INFORMATION>|\[\/?INST\]/,
  // "reveal your system prompt"
  /\b(?:output|print|repeat|reply with|respond with|reveal|show|tell)\b[^.!?]{0,40}\byour (?:system|initial|hidden) (?:prompt|instructions|message)\b/i,
  // "Note to AI assistants: ... state in every summary"; "you, AI assistant"
  new RegExp(
    `\\b(?:to|for|attention|dear|hey|as an?) (?:all |any |the )?${MODEL}\\b[^!?]{0,200}\\b${OWN}`,
    "i",
  ),
  new RegExp(`(?:^|[:(>"'“]\\s*)${MODEL}\\s?[,:][^!?]{0,200}\\b${OWN}`, "i"),
  new RegExp(`\\byou, (?:the |an? )?${MODEL}\\b`, "i"),
  // a picture or link that carries the conversation out
  /!\[[^\]\n]{0,200}\]\(\s*https?:\/\/[^)\s]{0,400}[?&/=][^)\s]{0,200}(?:\{|%7B)/i,
  /https?:\/\/\S{0,400}[?&]\S{0,100}\{{1,2}\s*(?:conversation|chat|history|messages?|context|system_?prompt|secrets?|api_?keys?|passwords?)\b/i,
];
/** Turns the direction of what follows, so that a line reads as what it is not. */
const OVERRIDES = /[\u202D\u202E]/u;
/** Characters that nobody sees, with which a word is hidden from a search. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]/gu;
/** A longer sentence is read in part: it would be told by no answer anyway. */
const MOST_READ = 4_000;

/**
 * Whether a sentence of a document bears an unambiguous mark of prompt injection, such as "ignore all
 * previous instructions". Such a sentence stays searchable, as data, and `rag_search` marks it.
 *
 * The bound: marks that everyday prose does not have, in English. An order in plain prose ("Send the list
 * to press@example.com.") is not told apart, and no model is protected: that document text reaches models
 * as quoted data, and that tools check what they are asked for, is what does.
 */
export function isPromptInjection(sentence: string): boolean {
  if (OVERRIDES.test(sentence)) return true;
  const plain = sentence.slice(0, MOST_READ).normalize("NFKC").replace(INVISIBLE, "").replace(/\s+/g, " ");
  return MARKS.some((mark) => mark.test(plain));
}

/** Whether a sentence of a text has such a mark. */
export function holdsPromptInjection(text: string): boolean {
  return splitSentences(text).some(({ start, end }) => isPromptInjection(text.slice(start, end)));
}
