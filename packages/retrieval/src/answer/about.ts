import type { SearchHit, SearchResult } from "../retriever.ts";
import { contentKeys } from "../text/words.ts";
import { readQuestion, type Question } from "./question.ts";

/** A document whose title says that it is about a subject. */
export interface DocumentAbout {
  readonly documentId: string;
  readonly title: string;
  /** Share of the subject's weight that the title holds, 0 to 1. */
  readonly share: number;
  /** Share of the title's words that are of the subject: 1 where it is about nothing else. */
  readonly precision: number;
}

/** Share of a subject's weight that a title or heading must hold to be about it. */
const ABOUT = 0.6;
/** The same where a title has two words of it. One that stands whole in it needs no more: "the goals of the AI strategy". */
const ABOUT_BY_TWO = 0.4;

/**
 * The documents about a subject, best first. Editions that were replaced are left out, unless the
 * subject asks for them: "the AI strategy of 2024".
 */
export function documentsAbout(subject: string, result: SearchResult): readonly DocumentAbout[] {
  const question = readQuestion(subject, result);
  const found = new Map<string, DocumentAbout & { readonly old: boolean; readonly ofYear: boolean }>();
  for (const hit of result.hits) {
    if (found.has(hit.documentId)) continue;
    const title = hit.citation.document;
    const keys = contentKeys(title);
    const share = shareOf(keys, question);
    const precision = precisionOf(keys, question);
    const shared = [...question.weights.keys()].filter((key) => keys.has(key)).length;
    const least = shared < 2 ? ABOUT : precision === 1 ? 0 : ABOUT_BY_TWO;
    if (share < least) continue;
    const year = question.old?.year ?? "";
    found.set(hit.documentId, {
      documentId: hit.documentId,
      title,
      share,
      precision,
      old: hit.newerVersion !== undefined || hit.withdrawn,
      ofYear: year === "" || keys.has(year) || hit.published?.startsWith(year) === true,
    });
  }
  const all = [...found.values()].toSorted((a, b) => b.share - a.share || b.precision - a.precision);
  const asked = question.old === undefined ? [] : all.filter(({ old, ofYear }) => old && ofYear);
  const chosen = asked.length > 0 ? asked : all.filter(({ old }) => !old);
  return chosen.map(({ documentId, title, share, precision }) => ({ documentId, title, share, precision }));
}

/** Years and versions say which edition it is, not what about. */
function precisionOf(title: ReadonlySet<string>, { weights }: Question): number {
  const named = [...title].filter((key) => !/^\d+$/.test(key));
  return named.length === 0 ? 0 : named.filter((key) => weights.has(key)).length / named.length;
}

/** The heading of a passage that is about the subject, with the headings above it. */
export function sectionAbout(hit: SearchHit, question: Question): readonly string[] | undefined {
  for (const { path } of hit.sections) {
    const at = path.findIndex((heading) => shareOf(contentKeys(heading), question) >= ABOUT);
    if (at !== -1) return path.slice(0, at + 1);
  }
  return undefined;
}

/** A year says which edition, not what about. */
function shareOf(keys: ReadonlySet<string>, { weights, old }: Question): number {
  let total = 0;
  let held = 0;
  for (const [key, weight] of weights) {
    if (key === old?.year) continue;
    total += weight;
    if (keys.has(key)) held += weight;
  }
  return total === 0 ? 0 : held / total;
}
