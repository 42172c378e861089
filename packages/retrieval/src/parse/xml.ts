import sax, { type SAXParser } from "sax";

export interface XmlHandlers {
  open?(name: string, attributes: { readonly [name: string]: string }): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Elements in one another; documents of real people have a few dozen, and more fill the memory. */
const MAX_DEPTH = 1_000;

/**
 * Streams through an XML text. Strict: throws on XML that is not well-formed, or nested too deep. Knows
 * only the five entities of XML itself, so a file can declare none that expand or that read other files.
 */
export function readXml(xml: string, handlers: XmlHandlers): void {
  let depth = 0;
  const callbacks: Pick<SAXParser, "onopentag" | "onclosetag" | "ontext" | "onerror"> = {
    onopentag({ name, attributes }) {
      depth += 1;
      if (depth > MAX_DEPTH) throw new Error(`Elements are nested more than ${MAX_DEPTH} deep.`);
      const values: Record<string, string> = {};
      for (const [key, value] of Object.entries(attributes))
        values[key] = typeof value === "string" ? value : value.value;
      handlers.open?.(name, values);
    },
    onclosetag(name) {
      depth -= 1;
      handlers.close?.(name);
    },
    onerror(error) {
      throw error;
    },
    ontext: (text) => handlers.text?.(text),
  };
  Object.assign(sax.parser(true), callbacks).write(xml).close();
}
