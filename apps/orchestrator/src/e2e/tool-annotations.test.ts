import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog } from "@troupe/core";
import { memoryArtifactStore } from "@troupe/core/testing";
import { dataMcp } from "@troupe/data-mcp";
import { pptMcp } from "@troupe/ppt-mcp";
import { ragMcp } from "@troupe/rag-mcp";
import { OPEN_ACCESS } from "@troupe/service/mcp";
import { expect, it, onTestFinished } from "vitest";

/** Clients ask a person before a call by these: a new tool has to be added here, with thought. */
const EFFECTS: { readonly [tool: string]: "reads" | "adds" | "destroys" } = {
  rag_search: "reads",
  rag_get_page: "reads",
  rag_outline: "reads",
  rag_list_collections: "reads",
  rag_list_documents: "reads",
  rag_delete_document: "destroys",
  rag_ingest: "destroys",
  describe_data: "reads",
  query_db: "reads",
  analyze: "reads",
  visualize: "adds",
  list_collections: "reads",
  data_ingest: "destroys",
  powerpoint_create_presentation: "adds",
  powerpoint_add_slide: "adds",
  powerpoint_replace_slide: "destroys",
  powerpoint_delete_slide: "destroys",
  powerpoint_move_slide: "adds",
  powerpoint_list_slides: "reads",
  powerpoint_get_slide: "reads",
  powerpoint_list_statements: "reads",
  powerpoint_save_presentation: "adds",
};

it("every tool of the three MCP servers says what a call does and what its results hold", async () => {
  const home = mkdtempSync(join(tmpdir(), "troupe-annotations-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const context = {
    home,
    trusted: true,
    artifacts: memoryArtifactStore(),
    access: OPEN_ACCESS,
    log: silentLog,
  };
  const names: string[] = [];
  for (const definition of [ragMcp, dataMcp, pptMcp]) {
    const opened = await definition.open(context);
    for (const { definition: tool, annotations, outputSchema } of opened.tools) {
      expect({ name: tool.name, annotations, outputSchema }).toEqual({
        name: tool.name,
        annotations: {
          title: expect.stringMatching(/^[A-Z]/) as unknown,
          readOnly: EFFECTS[tool.name] === "reads",
          destructive: EFFECTS[tool.name] === "destroys",
          openWorld: false,
        },
        outputSchema: expect.objectContaining({ type: "object" }) as unknown,
      });
      names.push(tool.name);
    }
    await opened.close();
  }
  expect(names).toEqual(Object.keys(EFFECTS));
});
