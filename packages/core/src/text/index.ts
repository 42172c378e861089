export { splitSentences, type Span } from "./sentences.ts";
