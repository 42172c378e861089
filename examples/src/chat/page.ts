// A page for React to render to, there before React DOM is. fetch and the like stay those of the platform.
import { Window } from "happy-dom";

const window = new Window({ url: "http://127.0.0.1/" });
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true });

export const page: Document = globalThis.document;
