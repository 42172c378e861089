/** Titles that programs write where the author gave none. */
const PLACEHOLDERS: readonly RegExp[] = [
  /^\(?(?:anonymous|unspecified|unknown|none|null|no title|title|titel|titre|título)\)?$/i,
  /^(?:untitled|unbenannt|unnamed|sans[ -]titre|sin t[íi]tulo|senza titolo)(?:[ -]?(?:document|dokument|presentation|pr[äa]sentation|\d{1,4}))?$/i,
  /^(?:unbenanntes dokument|document sans (?:nom|titre)|documento sin t[íi]tulo)$/i,
  /^(?:doc|document|dokument|documento|presentation|pr[äa]sentation|slide|folie|book|mappe)[ -]?\d{1,4}$/i,
  /^(?:(?:microsoft )?(?:word|powerpoint|office)[ -](?:document|dokument|presentation|pr[äa]sentation)|(?:pr[ée]sentation|presentaci[óo]n de|presentazione (?:di|standard di)) powerpoint)$/i,
  /^microsoft (?:word|powerpoint|excel)(?: [-–] .*)?$/is,
  /\.(?:docx?|pdf|md|txt|pptx?|xlsx?|odt|rtf|html?|indd|qxd|tex|dvi)$/i,
];

/** Kinds of documents, which as a whole title identify none. */
const KINDS: ReadonlySet<string> = new Set(
  `report document presentation paper slides deck letter memo minutes agenda notes summary overview introduction contents
contract agreement invoice offer proposal bericht dokument präsentation protokoll zusammenfassung übersicht inhalt vertrag
rechnung angebot rapport présentation résumé contrat facture informe documento presentación resumen contrato factura`.split(
    /\s+/,
  ),
);

/** True for a title that identifies no document: a placeholder of a program, the name of a file or a bare `Report`. */
export function isPlaceholderTitle(title: string): boolean {
  const text = title.normalize("NFC").trim();
  return (
    !/[\p{L}\p{N}]/u.test(text) ||
    KINDS.has(text.toLowerCase()) ||
    PLACEHOLDERS.some((placeholder) => placeholder.test(text))
  );
}
