import type { ArtifactStore, Tool } from "@troupe/core";

import type { Clock } from "@troupe/stream";

import type { Sources } from "../sources/sources.ts";
import { analyzeTool } from "./analyze.ts";
import { dataIngest } from "./data-ingest.ts";
import { describeData } from "./describe-data.ts";
import { listDataCollections } from "./list-collections.ts";
import { queryDb } from "./query-db.ts";
import { visualize } from "./visualize.ts";

/** The tools of data-mcp. Those that read paths are there for a trusted caller only. */
export function dataTools(options: {
  readonly home: string;
  readonly sources: Sources;
  readonly trusted: boolean;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly artifacts: ArtifactStore;
}): readonly Tool[] {
  const { home, sources, trusted, newId, clock, artifacts } = options;
  return [
    describeData(sources),
    queryDb(sources, clock),
    analyzeTool(sources),
    visualize(sources, newId, artifacts),
    listDataCollections(sources),
    ...(trusted ? [dataIngest(home)] : []),
  ];
}
