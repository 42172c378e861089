export type FileStatus = "indexed" | "updated" | "unchanged" | "failed" | "skipped" | "removed";

export interface FileReport {
  /** Relative to the folder that was ingested. */
  readonly source: string;
  readonly status: FileStatus;
  readonly documentId?: string;
  readonly title?: string;
  readonly pages?: number;
  readonly passages?: number;
  /** Text that readers of the document do not see. It was not indexed. */
  readonly hidden?: { readonly characters: number; readonly pages: readonly number[] };
  /** Why it failed or was skipped, and what to do. */
  readonly reason?: string;
}

export interface IngestReport {
  readonly collection: string;
  readonly files: readonly FileReport[];
  readonly counts: { readonly [S in FileStatus]: number };
  /** Sources in the collection whose file is no longer in the ingested folder; see `prune`. */
  readonly gone: readonly string[];
}

export function toReport(
  collection: string,
  files: readonly FileReport[],
  gone: readonly string[],
): IngestReport {
  const count = (status: FileStatus): number => files.filter((file) => file.status === status).length;
  return {
    collection,
    files,
    counts: {
      indexed: count("indexed"),
      updated: count("updated"),
      unchanged: count("unchanged"),
      failed: count("failed"),
      skipped: count("skipped"),
      removed: count("removed"),
    },
    gone,
  };
}

/** "3 indexed, 1 unchanged, 1 failed": what happened, without zeroes. */
export function describeCounts({ counts }: Pick<IngestReport, "counts">): string {
  const parts = Object.entries(counts).flatMap(([status, count]) =>
    count === 0 ? [] : [`${count} ${status}`],
  );
  return parts.length === 0 ? "nothing to do" : parts.join(", ");
}

/** "120 hidden characters on page 1, 3 left out", or "" where a file has none. */
export function describeHidden({ hidden, pages = 1 }: Pick<FileReport, "hidden" | "pages">): string {
  if (hidden === undefined) return "";
  const where = pages > 1 ? ` on page ${hidden.pages.join(", ")}` : "";
  return `${hidden.characters} hidden characters${where} left out`;
}
