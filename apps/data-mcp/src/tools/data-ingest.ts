import { ingestCsv, listCsvFiles, oneLine, type FileReport, type IngestReport } from "@troupe/analytics";
import { defineTool, type Tool } from "@troupe/core";
import { z } from "zod";

const reportOutput = z.object({
  collection: z.string(),
  failed: z.number(),
  files: z.array(z.object({ file: z.string(), table: z.string(), rows: z.number(), rejected: z.number() })),
  failures: z.array(z.object({ file: z.string(), message: z.string() })),
});

/** Reads paths of this machine: only for a caller that may, such as a parent process over stdio. */
export function dataIngest(home: string): Tool {
  return defineTool({
    name: "data_ingest",
    annotations: { title: "Ingest CSV files", readOnly: false, destructive: true, openWorld: false },
    output: { data: reportOutput },
    description:
      "Reads CSV files, or the CSV files of folders, into a collection. A file of the same name replaces its table; the rest of the collection stays.",
    input: z.strictObject({
      paths: z
        .array(z.string().min(1).max(4_096))
        .min(1)
        .max(1_000)
        .describe("Files or folders on this machine."),
      collection: z.string().min(1).max(200),
      delimiter: z.string().length(1).optional().describe("Found out per file when left out."),
      encoding: z
        .string()
        .min(1)
        .max(40)
        .optional()
        .describe("A label such as windows-1250, shift_jis or macintosh; found out per file when left out."),
      decimal_comma: z.boolean().optional(),
    }),
    idempotent: true,
    async execute({ paths, collection, delimiter, encoding, decimal_comma }, { signal, log, progress }) {
      const report = await ingestCsv({
        home,
        collection,
        paths: await listCsvFiles(paths),
        log,
        signal,
        ...(progress && {
          onFile: (file: string, done: number, total: number) =>
            progress({ message: oneLine(file), done, total }),
        }),
        ...(delimiter === undefined ? {} : { delimiter }),
        ...(encoding === undefined ? {} : { encoding }),
        ...(decimal_comma === undefined ? {} : { decimalComma: decimal_comma }),
      });
      const rows = report.files.reduce((sum, file) => sum + file.rows, 0);
      const failed = report.failures.map(({ message }) => `- not loaded: ${oneLine(message, 300)}`);
      return {
        text: [
          `Collection "${collection}": ${count(report.files.length, "file")} with ${count(rows, "row")} loaded.`,
          ...report.files.map(fileLine),
          ...failed,
          ...repaired(report),
        ].join("\n"),
        summary: `${count(rows, "row")} from ${count(report.files.length, "file")} into "${collection}"`,
        data: {
          collection,
          failed: report.failures.length,
          files: report.files.map(({ file, table, rows: n, rejected }) => ({
            file,
            table,
            rows: n,
            rejected,
          })),
          failures: report.failures.map(({ file, message }) => ({ file, message })),
        },
      };
    },
  });
}

function repaired({ collection, replacedRegistry }: IngestReport): readonly string[] {
  if (replacedRegistry === undefined) return [];
  return [
    `The registry of "${collection}" was damaged and is replaced; it is kept as ${replacedRegistry} in the folder of the collection, with the tables from before. Ingest their files again to query them.`,
  ];
}

function fileLine(file: FileReport): string {
  const first = file.rejects[0];
  const rejected =
    file.rejected === 0
      ? ""
      : `; ${count(file.rejected, "row")} left out${first === undefined ? "" : `, the first at line ${first.line}: ${oneLine(first.problem)}`}`;
  const notes = file.notes.length === 0 ? "" : `; ${file.notes.map((note) => oneLine(note, 160)).join("; ")}`;
  return `- ${oneLine(file.file)} -> ${file.table}: ${count(file.rows, "row")}${rejected}${notes}`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
