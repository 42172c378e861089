/** Name of the line of sources at the foot of a slide; the lint knows it by this in any file. */
export const SOURCE_LINE = "Source line";
/** Name of the table that lists the sources of the deck, by which readers of a file tell it from others. */
export const SOURCES_TABLE = "Sources table";
