import { defineTool, type Tool } from "@troupe/core";
import {
  describeCounts,
  describeHidden,
  type FileReport,
  type IngestReport,
  type RetrievalIndex,
} from "@troupe/retrieval";
import { z } from "zod";

import { count } from "./present.ts";

const statusSchema = z.enum(["indexed", "updated", "unchanged", "failed", "skipped", "removed"]);
const reportSchema = z.object({
  collection: z.string(),
  failed: z.number(),
  counts: z.record(statusSchema, z.number()),
  gone: z.array(z.string()),
  files: z.array(
    z.object({
      source: z.string(),
      status: statusSchema,
      documentId: z.string().exactOptional(),
      title: z.string().exactOptional(),
      pages: z.number().exactOptional(),
      passages: z.number().exactOptional(),
      hidden: z.object({ characters: z.number(), pages: z.array(z.number()) }).exactOptional(),
      reason: z.string().exactOptional(),
    }),
  ),
});

/** Reads paths of this machine, so it is offered to a trusted local caller only. */
export function ragIngest(index: RetrievalIndex): Tool {
  return defineTool({
    name: "rag_ingest",
    annotations: { title: "Ingest documents", readOnly: false, destructive: true, openWorld: false },
    output: { data: reportSchema },
    description:
      "Brings files and folders of this machine into a collection (.md, .txt, .pdf, .docx). Unchanged files are skipped, changed ones replaced.",
    input: z.object({
      paths: z.array(z.string().min(1).max(4_096)).min(1).max(1_000).describe("Files or folders"),
      collection: z.string().min(1).max(200).describe("Collection to put them in"),
      prune: z
        .boolean()
        .default(false)
        .describe("Delete documents whose file is no longer in an ingested folder"),
    }),
    idempotent: true,
    async execute({ paths, collection, prune }, context) {
      const report = await index.ingest(paths, {
        collection,
        prune,
        signal: context.signal,
        onFile: (file, progress) => context.progress?.({ message: line(file), ...progress }),
      });
      const allFailed = report.counts.failed > 0 && report.counts.failed === report.files.length;
      return {
        text: describe(report),
        summary: describeCounts(report),
        data: toJson(report),
        ...(allFailed ? { isError: true } : {}),
      };
    },
  });
}

function describe(report: IngestReport): string {
  const told = report.files.filter((file) => file.status !== "unchanged");
  return [
    `Collection "${report.collection}": ${describeCounts(report)}.`,
    ...told.map((file) => `- ${line(file)}`),
    ...report.gone.map(
      (source) => `- gone: ${onOneLine(source)} is no longer in the folder; pass prune to delete it`,
    ),
  ].join("\n");
}

function line(file: FileReport): string {
  const size =
    file.pages === undefined || file.passages === undefined
      ? ""
      : ` (${count(file.pages, "page")}, ${count(file.passages, "passage")})`;
  const hidden = describeHidden(file);
  return onOneLine(
    `${file.status}: ${file.reason?.includes(file.source) === true ? file.reason : `${file.source}${size}${file.reason === undefined ? "" : `: ${file.reason}`}${hidden === "" ? "" : `; ${hidden}`}`}`,
  );
}

/** The name of a file may hold a line break, and must not make a line of its own. */
function onOneLine(text: string): string {
  return text.replaceAll(/\s*[\n\r\u2028\u2029]\s*/g, " ");
}

function toJson(report: IngestReport): z.input<typeof reportSchema> {
  return {
    collection: report.collection,
    failed: report.counts.failed,
    counts: { ...report.counts },
    gone: [...report.gone],
    files: report.files.map(({ hidden, ...file }) => ({
      ...file,
      ...(hidden === undefined ? {} : { hidden: { ...hidden, pages: [...hidden.pages] } }),
    })),
  };
}
