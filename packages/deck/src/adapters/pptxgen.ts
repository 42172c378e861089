import pptxgen from "pptxgenjs";

/** Text options as pptxgenjs takes them; inches and points. Built anew for every call: it writes into them. */
export interface PptxTextOptions {
  readonly [key: string]: unknown;
}

/** The doors of pptxgenjs that are used. `addImage` is not among them: it reads any path and URL. */
export interface PptxSlide {
  addText(
    text: readonly { readonly text: string; readonly options: PptxTextOptions }[],
    options: PptxTextOptions,
  ): void;
  addShape(shape: "rect", options: PptxTextOptions): void;
  addTable(
    rows: readonly (readonly { readonly text: string; readonly options: PptxTextOptions }[])[],
    options: PptxTextOptions,
  ): void;
  addChart(type: "bar", data: readonly object[], options: PptxTextOptions): void;
}

export interface PptxFile {
  title: string;
  author: string;
  company: string;
  subject: string;
  layout: string;
  theme: { headFontFace: string; bodyFontFace: string };
  defineLayout(layout: { readonly name: string; readonly width: number; readonly height: number }): void;
  defineSlideMaster(master: object): void;
  addSlide(options: { readonly masterName: string }): PptxSlide;
  write(options: { readonly outputType: "uint8array" }): Promise<Uint8Array>;
}

/** The package's default export is a class at run time and a namespace to the compiler: hence the cast. */
export function createPptx(): PptxFile {
  const Pptx = pptxgen as unknown as new () => PptxFile;
  return new Pptx();
}
