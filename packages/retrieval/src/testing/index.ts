export { memoryIndex } from "./memory-index.ts";
export {
  retrieverContract,
  type ContractDocuments,
  type RetrieverContractOptions,
} from "./retriever-contract.ts";
export { sampleCitation } from "./sample-citation.ts";
export { tinyDocx, type TinyDocxBlock } from "./tiny-docx.ts";
export {
  tinyPdf,
  type TinyPdfContent,
  type TinyPdfImage,
  type TinyPdfOptions,
  type TinyPdfRectangle,
  type TinyPdfText,
} from "./tiny-pdf.ts";
