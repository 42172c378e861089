/** Name of the line of sources at the foot of a slide; the lint knows it by this in any file. */
export const SOURCE_LINE = "Source line";
