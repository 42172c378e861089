import sax, { type SAXParser } from "sax";

export interface XmlHandlers {
  open?(name: string, attributes: { readonly [name: string]: string }): void;
  close?(name: string): void;
  text?(text: string): void;
}

/**
 * Streams through an XML text. Strict: throws on XML that is not well-formed. Knows only the five
 * entities of XML itself, so a file can declare none that expand.
 */
export function readXml(xml: string, handlers: XmlHandlers): void {
  const callbacks: Pick<SAXParser, "onopentag" | "onclosetag" | "ontext" | "onerror"> = {
    onopentag({ name, attributes }) {
      const values: Record<string, string> = {};
      for (const [key, value] of Object.entries(attributes))
        values[key] = typeof value === "string" ? value : value.value;
      handlers.open?.(name, values);
    },
    onclosetag: (name) => handlers.close?.(name),
    onerror(error) {
      throw error;
    },
    ontext: (text) => handlers.text?.(text),
  };
  Object.assign(sax.parser(true), callbacks).write(xml).close();
}
