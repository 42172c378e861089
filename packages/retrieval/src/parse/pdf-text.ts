/** A piece of text as pdf.js finds it; x and y in points from the lower left corner. */
export interface TextItem {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
}

export interface TextLine {
  /** Cells of a row are joined by ` | `. */
  readonly text: string;
  readonly cells: number;
  readonly x: number;
  readonly right: number;
  readonly y: number;
  readonly size: number;
}
