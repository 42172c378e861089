/** Colours of the PDF documents. */
export const COLORS = { ink: "#1c2733", deep: "#0b4f6c", soft: "#5a6b7a", line: "#c9d3da", wash: "#eef4f7" };
