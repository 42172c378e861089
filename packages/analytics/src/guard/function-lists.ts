/** Functions that make rows and read nothing. Every other one in FROM is refused. */
export const TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  "generate_series",
  "json_each",
  "json_tree",
  "range",
  "unnest",
]);

/** Scalars that tell about the server, hold state, or reach past the tables. */
const DENIED: ReadonlySet<string> = new Set([
  "add_parquet_key",
  "checkpoint",
  "col_description",
  "copy_database",
  "currval",
  "disable_logging",
  "enable_logging",
  "enable_profiling",
  "force_checkpoint",
  "format_pg_type",
  "format_type",
  "get_block_size",
  "get_type",
  "getenv",
  "getvariable",
  "glob",
  "import_database",
  "in_search_path",
  "map_to_pg_oid",
  "nextval",
  "obj_description",
  "parse_duckdb_log_message",
  "query",
  "query_table",
  "seq_scan",
  "session_user",
  "setseed",
  "shobj_description",
  "sleep_ms",
  "sniff_csv",
  "sql_auto_complete",
  "stats",
  "txid_current",
  "user",
  "vector_type",
  "version",
  "which_secret",
  "write_log",
]);

const DENIED_PREFIXES = [
  "__internal",
  "arrow_",
  "duckdb_",
  "has_",
  "inet_",
  "json_deserialize",
  "json_execute",
  "json_serialize",
  "parquet_",
  "pg_",
  "pragma_",
  "read_",
  "test_",
];

/** `current_date` and its like are time; every other `current_...` tells about the server. */
const CURRENT_TIME: ReadonlySet<string> = new Set([
  "current_date",
  "current_localtime",
  "current_localtimestamp",
  "current_time",
  "current_timestamp",
]);

/** Takes a name in lower case. */
export function isDeniedFunction(name: string): boolean {
  if (name === "pg_typeof") return false;
  if (DENIED.has(name)) return true;
  if (name.startsWith("current_")) return !CURRENT_TIME.has(name);
  return DENIED_PREFIXES.some((prefix) => name.startsWith(prefix));
}
