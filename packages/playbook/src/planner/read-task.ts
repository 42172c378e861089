import { capitalized, contentWords, wordsOf } from "../words.ts";

/** What the words of a request say about the agents it needs. */
export interface ReadTask {
  readonly deck: boolean;
  /** What a presentation is about. */
  readonly title: string;
  readonly ofData: boolean;
  readonly ofDocuments: boolean;
  /** The task asks how many there are of something, and no word of it points to data or documents. */
  readonly onlyCounts: boolean;
  /** The clauses with words for figures, and the others; empty where there are none. */
  readonly dataPart: string;
  readonly documentsPart: string;
  /** An action beyond finding and presenting, such as `send it to Ann`. */
  readonly deed?: string;
}

const DECK =
  /(?<![\p{L}\p{N}])(?:decks?|slides?|slide-?decks?|presentations?|powerpoint|folien?|foliensatz|präsentation(?:en)?|présentations?|diapositives?|diapos?)(?![\p{L}\p{N}])|\.pptx\b/iu;
const DATA =
  /\b(?:sales|revenues?|turnover|figures?|numbers?|kpis?|charts?|tables?|what data|sql|quarterly|monthly|yearly|average|total|sum|(?:by|per|each) (?:day|week|month|quarter|year)|top \d+|select .+ from)\b|(?<!\p{L})(?:umsatz|umsätze|zahlen|kennzahlen|tabellen?|pro (?:tag|woche|monat|quartal|jahr)|ventes|chiffres?|tableaux?|par (?:mois|trimestre|an|année))(?!\p{L})/iu;
const DOCUMENTS =
  /\b(?:documents?|polic(?:y|ies)|minutes|contracts?|handbooks?|reports?|strateg(?:y|ies)|guidelines?|papers?|manuals?|notes|faq|says?|said|according to|passages?)\b|(?<!\p{L})(?:dokumente?n?|richtlinien?|protokolle?|verträge?|handbuch|berichte?|strategie(?:papier)?|documents?|politique|contrats?|rapports?|stratégie|sagt|selon|laut)(?!\p{L})/iu;
/** Documents hold counts as well as tables do. */
const COUNT = /(?<!\p{L})(?:how many|number of|wie viele|anzahl|combien)(?!\p{L})/iu;
/** Asks for what somebody wrote, on any subject. */
const SAYS = /(?<!\p{L})(?:says?|said|according to|sagt|laut|dit|selon)(?!\p{L})/iu;
/** An order to do more than find and present, at the beginning or before its object. */
const DEED =
  /(?:^(?:please\s+)?|(?:[,;.]|\b(?:and|then|und|et|puis))\s+(?:then\s+|please\s+)?(?=\S+\s+(?:it|them|this|that|the|these|everything|sie|es|das|die|le|la|les)\b))((?:e-?mail|mail|send|post|publish|upload|forward|delete|remove|share|translate|order|buy|pay|book|schedule|invite|sende|schicke|lösche|bestelle|buche|übersetze|envoie|envoyez|supprime)\s+\S.*)$/iu;
/** Separators of the clauses of a request. */
const CLAUSE =
  /\s*[;,]\s*(?:and\s+|with\s+|und\s+|mit\s+|et\s+|avec\s+)?|\s+(?:and|with|und|mit|et|avec)\s+/iu;
const ABOUT = /(?<!\p{L})(?:about|on|over|über|zu|zur|zum|sur)\s+(.+)$/iu;
const SOURCES =
  /(?<!\p{L})(?:based on|from|out of|using|auf (?:der )?basis|anhand|aus|à partir de|d['’]après)\s.*$/iu;
/** Words of an order for a presentation that do not name its subject. */
const ORDER = new Set(
  (
    "create make build prepare generate produce draft write deck decks slide slides presentation presentations powerpoint " +
    "pptx document documents short brief new erstelle erstellen mache präsentation folie folien dokumente dokumenten crée " +
    "créez fais présentation diapositives now jetzt board"
  ).split(" "),
);

export function readTask(task: string): ReadTask {
  const text = task.replaceAll(/\s+/g, " ").trim();
  const clauses = clausesOf(text);
  const data = clauses.filter((clause) => DATA.test(clause));
  const others = clauses.filter((clause) => !DATA.test(clause) && contentWords(clause, ORDER).length > 0);
  const isSql = /^\s*(?:select|with)\b.+\bfrom\b/is.test(task);
  const says = others.length === 0 && SAYS.test(text);
  const onlyCounts = COUNT.test(text) && !DATA.test(text);
  const deed = DEED.exec(text)?.[1]?.replace(/[.!\s]+$/, "");
  return {
    deck: DECK.test(text),
    title: titleOf(text),
    ofData: isSql || (DATA.test(text) && !says) || onlyCounts,
    ofDocuments: !isSql && (DOCUMENTS.test(text) || says || onlyCounts),
    onlyCounts,
    dataPart: data.map(withoutOrder).filter(Boolean).join(", "),
    documentsPart: others.map(withoutOrder).filter(Boolean).join(", "),
    ...(deed === undefined ? {} : { deed }),
  };
}

/** A clause of fewer than two words belongs to the one before: `sales and revenue`. */
function clausesOf(text: string): readonly string[] {
  return text.split(CLAUSE).filter((clause) => clause.trim() !== "");
}

/** `Norrvik's AI strategy` of `Create a presentation about Norrvik's AI strategy based on our documents`. */
function withoutOrder(clause: string): string {
  if (!DECK.test(clause)) return clause.trim();
  const subject = ABOUT.exec(clause)?.[1] ?? clause;
  const kept = subject.replace(SOURCES, "").trim();
  return contentWords(kept, ORDER).every(({ folded }) => /^\d+$/.test(folded)) ? "" : kept;
}

function titleOf(text: string): string {
  const [first = ""] = clausesOf((ABOUT.exec(text)?.[1] ?? text).replace(SOURCES, ""));
  const kept =
    wordsOf(first).some(({ folded }) => !ORDER.has(folded)) && !DECK.test(first) ? first : "Findings";
  const title = kept
    .replaceAll('"', "'")
    .replace(/[.?!\s]+$/, "")
    .slice(0, MAX_TITLE);
  return capitalized(title);
}

const MAX_TITLE = 120;

const BACK =
  /(?<!\p{L})(?:it|its|that|this|these|those|them|they|their|one|ones|same|again|also|too|instead|else|other|others|another|more|less|shorter|longer|further|previous|before|earlier|above|(?<!(?:are|is|was|were) )there|now|es|das|dies|diese|dieser|dieses|davon|dazu|noch|auch|nochmal|wieder|stattdessen|kürzer|länger|jetzt|dort|cela|ça|ceci|celui|celle|aussi|encore|plus|maintenant)(?!\p{L})/iu;
const FRAGMENT =
  /^\s*(?:and|but|or|so|then|what about|how about|only|just|without|with|in|for|add|change|remove|replace|und|aber|nur|ohne|mit|ändere|et|mais|sans|avec|seulement|ajoute)(?!\p{L})/iu;
const QUESTION =
  /^\s*(?:how|what|which|who|whom|whose|when|where|why|wie|was|welche[rsmn]?|wer|wann|wo|quel(?:le)?s?|qui|quand|où|combien)\s+\S+\s+\S+\s+\S/iu;

/** Whether a request of a later turn may refer to earlier turns: true for all but a plain new question. */
export function refersBack(task: string): boolean {
  return BACK.test(task) || FRAGMENT.test(task) || contentWords(task).length < (QUESTION.test(task) ? 1 : 2);
}
