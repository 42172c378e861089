export { openIndex, type OpenIndexOptions, type RetrievalIndex } from "./adapters/open-index.ts";
export { documentsAbout, type DocumentAbout } from "./answer/about.ts";
export { answerQuestion, hasTable, type Answer, type AnswerOptions } from "./answer/answer-question.ts";
export { documentCalled, fileNamedIn, type FileNamed } from "./answer/named-document.ts";
export { outline, sectionsOn, type OutlineOptions } from "./answer/outline.ts";
export type { OutlinePart } from "./answer/outline-part.ts";
export { readQuestion, wantedBy, type Question, type Wanted } from "./answer/question.ts";
export { chunkText, type ChunkOptions } from "./chunk/chunk-text.ts";
export { formatPlace, formatSources } from "./cite/format-sources.ts";
export { comparingTable } from "./cite/comparing-table.ts";
export { chapterQuery } from "./cite/chapter.ts";
export { keyTable, type KeyTable } from "./cite/key-table.ts";
export { keyStatements, withheldStatements, type StatementOptions } from "./cite/key-statements.ts";
export type { Statement } from "./cite/statement.ts";
export {
  describeCounts,
  describeHidden,
  type FileReport,
  type FileStatus,
  type IngestReport,
} from "./ingest/report.ts";
export type { IngestOptions } from "./ingest/ingest-files.ts";
export { EXTENSIONS, parseDocument } from "./parse/parse-document.ts";
export { readSlides, type SlideText } from "./parse/pptx.ts";
export {
  DEFAULT_PARSE_LIMITS,
  type Edition,
  type Heading,
  type ParsedDocument,
  type ParsedPage,
  type ParseLimits,
} from "./parse/parsed-document.ts";
export type {
  CollectionInfo,
  Correction,
  DocumentInfo,
  DocumentRef,
  Outline,
  OutlineHeading,
  PageText,
  Retriever,
  SearchHit,
  SearchOptions,
  SearchResult,
  SearchTerm,
} from "./retriever.ts";
export { corrected } from "./search/correct-words.ts";
export { languageOf } from "./text/language.ts";
