export {
  openSqliteTaskStore,
  type SqliteTaskStore,
  type SqliteTaskStoreOptions,
} from "./sqlite-task-store.ts";
