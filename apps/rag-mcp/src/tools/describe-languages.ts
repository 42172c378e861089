import { languageOf, type Retriever } from "@troupe/retrieval";

/** Documents looked at, spread over all of them. */
const SAMPLE = 5;

/** ` The documents are in English.`; empty where that cannot be told. */
export async function describeLanguages(
  index: Pick<Retriever, "documents" | "page">,
  { collection }: { readonly collection?: string },
  ids?: readonly string[],
): Promise<string> {
  const all = (await index.documents(collection)).filter(
    ({ documentId }) => ids?.includes(documentId) ?? true,
  );
  const step = Math.max(1, Math.floor(all.length / SAMPLE));
  const sample = all.filter((_, at) => at % step === 0).slice(0, SAMPLE);
  const languages = new Set<string>();
  for (const { documentId, pages } of sample) {
    // A first page is often a title alone.
    for (const page of pages > 1 ? [1, 2] : [1]) {
      const language = languageOf((await index.page(documentId, page))?.text ?? "");
      if (language !== undefined) languages.add(language);
    }
  }
  return languages.size === 0 ? "" : ` The documents are in ${[...languages].join(" and ")}.`;
}
