import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { answering } from "@troupe/a2a/testing";
import { serveHttp } from "@troupe/core/testing";
import type { AgentEventBody, ArtifactRef } from "@troupe/stream";
import { afterEach, expect, it, onTestFinished } from "vitest";

import { smallOrchestrator, type SmallOrchestrator } from "../../testing/small-orchestrator.ts";
import { cleanUp } from "../../testing/troupe.ts";

afterEach(cleanUp);

const contentOf = (name: string): string => `the bytes of ${name}`;

/** An orchestrator with one run whose agent made files of these names; gives the id of the run. */
async function ranWith(...names: readonly string[]): Promise<SmallOrchestrator & { readonly id: string }> {
  const files = await serveHttp((request, response) => {
    response.end(contentOf(decodeURIComponent((request.url ?? "").slice(1))));
  });
  onTestFinished(() => files.close());
  const artifact = (name: string): ArtifactRef => ({
    id: name,
    name,
    mediaType: name.endsWith(".svg") ? "image/svg+xml" : "application/octet-stream",
    bytes: contentOf(name).length,
    sha256: createHash("sha256").update(contentOf(name)).digest("hex"),
    url: `${files.url}/${name}`,
  });
  const made = names.map((name): AgentEventBody => ({ type: "artifact", artifact: artifact(name) }));
  const small = await smallOrchestrator(
    { maker: () => [...made, ...answering(["Made."])] },
    { allowed_origins: [files.url] },
  );
  const file = small.workflow([{ agent: "maker", instruction: "Make it." }]);
  const run = await small.troupe(["run", "--workflow", file, "--quiet", "--out", "saved"]);
  if (run.code !== 0) throw new Error(run.stderr);
  const id = /^\S+/.exec((await small.troupe(["runs"])).stdout)?.[0] ?? "";
  return { ...small, id };
}

it("opens the presentation of a run, with and without its servers, and prints its path", async () => {
  const { troupe, home, id, stop } = await ranWith("sales.svg", "deck.pptx");
  const opened: string[] = [];
  const openFile = async (path: string): Promise<boolean> => opened.push(path) > 0;
  const path = join(home, "out", "deck.pptx");
  expect(await troupe(["open", id], { openFile })).toMatchObject({
    code: 0,
    stdout: `${path}\n`,
    stderr: "",
  });
  expect(readFileSync(path, "utf8")).toBe(contentOf("deck.pptx"));
  await stop();
  expect((await troupe(["open", id], { openFile })).stdout).toBe(`${path}\n`);
  expect(opened).toEqual([path, path]);
});

it("saves, lists and opens charts like any other file", async () => {
  const { troupe, home, id } = await ranWith("sales by region.svg", "deck.pptx");
  expect(readFileSync(join(home, "saved", "sales by region.svg"), "utf8")).toContain("sales");
  const shown = (await troupe(["show", id])).stdout;
  expect(shown).toContain("  sales by region.svg  32 B  of maker\n");
  expect(shown).toContain(`  Open one: troupe open ${id} FILE\n`);
  const opened = await troupe(["open", id, "SALES", "--out", "charts"]);
  expect(opened.stdout).toBe(`${join(home, "charts", "sales by region.svg")}\n`);
});

it("prints the path where there is no desktop, and never opens what a desktop would run", async () => {
  const { troupe, id } = await ranWith("deck.pptx", "setup.exe");
  expect(await troupe(["open", id])).toMatchObject({
    code: 0,
    stderr: "There is no desktop here to open it on; the path is above.\n",
  });
  const refuse = (): Promise<boolean> => Promise.reject(new Error("was opened"));
  expect(await troupe(["open", id, "setup.exe"], { openFile: refuse })).toMatchObject({
    code: 0,
    stderr: "Files of this kind are saved, not opened.\n",
  });
});

it("says which files there are when none or several fit", async () => {
  const { troupe, id } = await ranWith("a.csv", "b.csv");
  expect(await troupe(["open", id])).toMatchObject({
    code: 2,
    stderr: `troupe: Run ${id} made several files. Name one of "a.csv", "b.csv".\n`,
  });
  expect((await troupe(["open", id, "deck"])).stderr).toBe(
    `troupe: Run ${id} made no file "deck". Its files: "a.csv", "b.csv".\n`,
  );
});

it("replaces the unchanged file of an earlier turn, and saves beside one that a person changed", async () => {
  const files = await serveHttp((request, response) => void response.end(request.url?.slice(1)));
  onTestFinished(() => files.close());
  let turn = 0;
  const small = await smallOrchestrator(
    {
      maker: () => {
        const content = `turn-${++turn}`;
        const sha256 = createHash("sha256").update(content).digest("hex");
        const url = `${files.url}/${content}`;
        const deck = { id: content, name: "deck.pptx", mediaType: "x/y", bytes: content.length, sha256, url };
        return [{ type: "artifact", artifact: deck }, ...answering(["Saved deck.pptx."])];
      },
    },
    { allowed_origins: [files.url] },
  );
  const workflow = small.workflow([{ agent: "maker", instruction: "Make it." }]);
  const run = async (...more: readonly string[]): Promise<string> => {
    const end = await small.troupe(["run", "--workflow", workflow, "--quiet", "--out", "saved", ...more]);
    if (end.code !== 0) throw new Error(end.stderr);
    return end.stdout.split("\nFiles\n")[1] ?? "";
  };
  const path = (name: string): string => join(small.home, "saved", name);
  const read = (name: string): string => readFileSync(path(name), "utf8");
  await run();
  expect(await run("--continue")).toBe(`  ${path("deck.pptx")}\n`);
  expect(await run("--continue")).toBe(`  ${path("deck.pptx")}\n`);
  expect(read("deck.pptx")).toBe("turn-3");
  writeFileSync(path("deck.pptx"), "mine");
  expect(await run("--continue")).toBe(`  ${path("deck-2.pptx")} (deck.pptx: another file has that name)\n`);
  expect([read("deck.pptx"), read("deck-2.pptx")]).toEqual(["mine", "turn-4"]);
  // Another conversation replaces nothing.
  writeFileSync(path("deck.pptx"), "turn-4");
  expect(await run()).toContain("deck-3.pptx");
});
