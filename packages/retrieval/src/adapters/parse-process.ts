import { parseDocument } from "../parse/parse-document.ts";
import type { ParseCall, ParseReply } from "./parser-process.ts";
import { toWireError } from "./wire-error.ts";

/** The process in which files of strangers are parsed. It dies with its parent. */
process.on("message", ({ id, bytes, name, limits }: ParseCall) => {
  const reply = (message: ParseReply): void => void process.send?.(message);
  parseDocument(bytes, name, limits).then(
    (document) => reply({ id, document }),
    (error: unknown) => reply({ id, error: toWireError(error) }),
  );
});
process.on("disconnect", () => process.exit());
