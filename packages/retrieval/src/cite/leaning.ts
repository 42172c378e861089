/** First words that lean on the sentence before. */
const LEANING =
  /^(?:this|that|these|those|it|its|they|their|them|he|she|his|her|such|both|here|there|then|thus|therefore|hence|however|but|and|or|so|also|moreover|furthermore|additionally|instead|otherwise|meanwhile|consequently|nevertheless|[\w-]+ of (?:them|these|those)|similarly|likewise|accordingly|for example|for instance|in addition|as a result|as such|since then|(?:on|in|with|for|at|by|from|after|under|of) (?:this|that|these|those)|the (?:former|latter|above|following|same)|see|e\.g|i\.e)\b/i;

/** "There are 84 employees": says that something is, and points nowhere. */
const EXISTENTIAL =
  /^there(?:['’]s| (?:can['’]t|won['’]t|cannot|(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|shall|should)(?:n['’]t)?))\s(?!(?:where|why|how|when|such)\b)/i;
/** "There are 84 in Linz", "There are three of them": what is counted was said before. */
const ELLIPTIC =
  /^there(?:['’]s | \S+ (?:not |be |been ){0,2})(?:(?:about|around|at least|at most|nearly|almost|only|over|more than|up to|still|also|already|currently|now) ){0,2}(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|none|some|many|few|several|more|others)(?:[.!,;]|(?<=[.,])$| (?:in|at|on|from|for|by|of (?:them|these|those))\b)/i;

const IT_IS =
  "^it (?:is|was|has been|will be|would be|may be|remains) (?:(?:not|no longer|never|also|still|always|often|strictly|generally|currently|therefore|very|highly|especially|particularly) ){0,2}";
/** "To" with a verb behind it, not with whom a thing is important to. */
const TO_DO =
  "(?:for [^.,;]{1,60} )?to (?!(?:the|an?|all|our|us|its|it|their|them|this|that|these|those|every|each|any|most|many|both|you|your|me|my|him|her|his)\\b)\\p{L}";
/** "It is forbidden to smoke", "It is planned that …": its "it" stands for what follows, whatever stands before. */
const IMPERSONAL = new RegExp(
  `${IT_IS}(?:(?:allowed|assumed|essential|estimated|expected|forbidden|important|intended|likely|mandatory|necessary|permitted|planned|possible|prohibited|recommended|required|unlikely) that\\b|(?:advisable|essential|forbidden|important|impossible|mandatory|necessary|possible|prohibited|recommended) ${TO_DO})`,
  "iu",
);
/** "It is planned to open in May": so does this, unless a thing was named before that is to open. */
const MAYBE_IMPERSONAL = new RegExp(
  `${IT_IS}(?:allowed|assumed|estimated|expected|permitted|planned|required) ${TO_DO}|^it (?:takes|took|costs?) [^.,;]{1,60} ${TO_DO}`,
  "iu",
);

/** Begins with a word that stands for something said before. `opens`: nothing stands before it in its paragraph. */
export function leansBack(sentence: string, opens = false): boolean {
  if (EXISTENTIAL.test(sentence)) return ELLIPTIC.test(sentence);
  if (IMPERSONAL.test(sentence) || (opens && MAYBE_IMPERSONAL.test(sentence))) return false;
  return LEANING.test(sentence);
}
