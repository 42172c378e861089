import { QueryError } from "@troupe/analytics";

/** Results live in the process; after a restart, or when too many came since, one is gone. */
export function lostResult(id: string): QueryError {
  return new QueryError(
    "query.unknown-result",
    `There is no result "${id.slice(0, 80)}" any more, or there never was. Run the statement again with query_db and use the id it returns.`,
  );
}
