export { openIndex, type OpenIndexOptions, type RetrievalIndex } from "./adapters/open-index.ts";
export { chunkText, type ChunkOptions } from "./chunk/chunk-text.ts";
export { holdsPromptInjection } from "./cite/prompt-injection.ts";
export { formatPlace, formatSources } from "./cite/format-sources.ts";
export {
  describeCounts,
  describeHidden,
  type FileReport,
  type FileStatus,
  type IngestReport,
} from "./ingest/report.ts";
export type { IngestOptions } from "./ingest/ingest-files.ts";
export { EXTENSIONS, parseDocument } from "./parse/parse-document.ts";
export { readSlides, type SlideShape, type SlideText } from "./parse/pptx.ts";
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
