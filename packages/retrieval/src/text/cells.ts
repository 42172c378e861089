/** Whether a line of a document's text is a row of a table. */
export const hasCells = (line: string | undefined): boolean => line?.includes(" | ") === true;

/** The cells of a row; one that is empty keeps its place: `Total | | 14.4 |` has four. */
export const cellsOf = (line: string): readonly string[] =>
  line.split(/(?<=\s|^)\|(?=\s|$)/).map((cell) => cell.trim());
