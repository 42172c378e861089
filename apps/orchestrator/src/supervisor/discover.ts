import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

/** What an app says of itself under `troupe` in its package.json. */
const manifestSchema = z.object({
  kind: z.enum(["agent", "mcp", "orchestrator"]),
  /** Port of `up`. */
  port: z.number().int().positive(),
  /** MCP servers an agent reaches its tools through, by folder name. */
  uses: z.array(z.string()).default([]),
  /**
   * How an MCP server takes in files: the tool, the extensions it understands, the tool that lists the
   * collections, the one that lists what a collection holds, the one that forgets a document, the one that
   * searches documents, and the one that runs SQL over tables.
   */
  ingest: z
    .object({
      tool: z.string(),
      extensions: z.array(z.string()),
      list: z.string().optional(),
      contents: z.string().optional(),
      forget: z.string().optional(),
      search: z.string().optional(),
      query: z.string().optional(),
    })
    .optional(),
});

export interface AppManifest extends z.output<typeof manifestSchema> {
  /** Folder name, such as `rag-agent`. */
  readonly name: string;
  readonly dir: string;
  /** File that Node runs, and the flags it needs for it. */
  readonly entry: string;
  readonly nodeFlags: readonly string[];
}

/**
 * The apps beside this one: every folder whose package.json has a `troupe.kind`. In the repository
 * that is `apps/`, installed it is `node_modules/@troupe/`. A new agent is found without a change.
 *
 * @param onBroken told about a package.json that cannot be used; its app is left out
 */
export function discoverApps(
  root: string,
  onBroken: (message: string) => void = () => undefined,
): readonly AppManifest[] {
  const apps: AppManifest[] = [];
  for (const name of readdirSync(root).toSorted()) {
    const dir = join(root, name);
    const file = join(dir, "package.json");
    if (!existsSync(file)) continue;
    try {
      const declared = (JSON.parse(readFileSync(file, "utf8")) as { troupe?: unknown } | null)?.troupe;
      if (declared === undefined) continue;
      const parsed = manifestSchema.safeParse(declared);
      if (parsed.success) apps.push({ ...parsed.data, name, dir, ...entryOf(dir) });
      else onBroken(`"${file}" has a "troupe" entry that cannot be used: ${problems(parsed.error)}`);
    } catch (error) {
      onBroken(`"${file}" cannot be read: ${(error as Error).message}`);
    }
  }
  return apps;
}

function problems(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join(".") || "troupe"}: ${message}`).join("; ");
}

/** Sources where Node may strip their types, the build otherwise. */
function entryOf(dir: string): { readonly entry: string; readonly nodeFlags: readonly string[] } {
  const source = join(dir, "src", "main.ts");
  const built = join(dir, "dist", "main.js");
  const runsSources =
    existsSync(source) && !dir.includes("node_modules") && process.features.typescript !== false;
  if (runsSources)
    return {
      entry: source,
      nodeFlags: ["--conditions=troupe-source", "--disable-warning=ExperimentalWarning"],
    };
  return { entry: built, nodeFlags: ["--disable-warning=ExperimentalWarning"] };
}
