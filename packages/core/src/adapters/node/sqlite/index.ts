export { isNodeNewEnough, NODE_NEEDED, noSqlite, requireSqlite, type Sqlite } from "./require-sqlite.ts";
export { GroupCommit, type GroupCommitOptions } from "./group-commit.ts";
