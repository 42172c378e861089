export { chooseChart, type ChartChoice, type ChartWish } from "./chart/choose-chart.ts";
export { citedTable, type CitedTable } from "./chart/cited-table.ts";
export { renderChartSvg, SVG_MEDIA_TYPE } from "./chart/render-svg.ts";
export { ingestCsv, type IngestOptions } from "./ingest/ingest-csv.ts";
export { listCsvFiles } from "./ingest/list-csv-files.ts";
export type { FileFailure, FileReport, IngestReport } from "./ingest/report.ts";
export { formatNumber, formatShare } from "./names/format-number.ts";
export { oneLine } from "./names/one-line.ts";
export { quoteName, writeName } from "./names/quote.ts";
export { QueryError, type QueryErrorCode } from "./query-error.ts";
export { describeSchema, describeTable, schemaLines, summarizeSchema } from "./store/describe-schema.ts";
export { joinsByName, writeJoin } from "./store/find-joins.ts";
export { openDataSource, type DataSourceOptions } from "./store/open-data-source.ts";
export { listCollections } from "./store/registry.ts";
export type { DataSource, QueryOptions } from "./types/data-source.ts";
export type { Cell, ColumnRole, QueryResult, ResultColumn } from "./types/result.ts";
export type { ColumnInfo, DataSchema, Join, TableInfo } from "./types/schema.ts";
export type { ColumnValues } from "./types/values.ts";
export { analyze, requireResult, type AnalyzeTarget } from "./profile/analyze.ts";
export { describeProfile, profileTables } from "./profile/describe-profile.ts";
export type { ColumnProfile, Figure, Finding, Profile } from "./profile/profile.ts";
export { profileResult } from "./profile/profile-result.ts";
export { questionToSql, type QuestionReading, type QuestionSql } from "./question/question-to-sql.ts";
export {
  suggestStatements,
  type SuggestedStatement,
  type Suggestions,
} from "./question/suggest-statements.ts";
