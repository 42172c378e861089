export { isNodeNewEnough, NODE_NEEDED, noSqlite, requireSqlite, type Sqlite } from "./require-sqlite.ts";
export { createDatabaseFile } from "./create-database-file.ts";
export { GroupCommit, type GroupCommitOptions } from "./group-commit.ts";
