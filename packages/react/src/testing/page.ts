// A page for React to render to. Imported before React DOM, which looks for one when it is loaded.
// Only what it needs stands in: fetch and the like stay those of the platform.
import { Window } from "happy-dom";

const window = new Window({ url: "http://127.0.0.1/" });
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true });

/** The page that there is now. */
export const page: Document = globalThis.document;
