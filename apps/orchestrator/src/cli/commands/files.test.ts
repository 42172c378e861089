import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { virtualClock } from "@troupe/core/testing";
import { fileArtifactStore, fileLinkKeys } from "@troupe/service";
import { expect, it, onTestFinished } from "vitest";

import { testContext } from "../../testing/test-context.ts";
import { files, type FilesOptions } from "./files.ts";

let next = 0;
const newId = (): string => `n${next++}`;

function openHome() {
  const home = mkdtempSync(join(tmpdir(), "troupe-files-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const clock = virtualClock();
  const store = fileArtifactStore({ dir: join(home, "artifacts"), baseUrl: () => "", newId, clock });
  const put = (name: string, size: number) =>
    store.put(new Uint8Array(size).fill(size % 251), { name, mediaType: "text/plain", owner: "" });
  const run = async (options: Partial<FilesOptions> = {}): Promise<string> => {
    let said = "";
    const context = testContext(home, { out: (text) => (said += text), clock, newId });
    await files(context, { delete: false, newLinkKey: false, revokeLinks: false, json: false, ...options });
    return said;
  };
  return { home, clock, put, run };
}

it("says what files take, what would go, and deletes it when told to", async () => {
  const { clock, put, run } = openHome();
  expect(await run()).toBe("0 files with 0 B are kept.\n");
  await put("old.csv", 3_000);
  await clock.advance(31 * 24 * 60 * 60_000);
  await put("new.csv", 2 * 1024 * 1024);
  expect(await run()).toBe("2 files with 2.0 MB are kept.\n");
  expect(await run({ olderThan: "30d" })).toMatch(
    / {2}2\.9 KB {2}old\.csv\n1 file would go, 1 file with 2\.0 MB be left\. Add --delete to delete it/,
  );
  expect(await run({ olderThan: "30d", delete: true })).toMatch(
    /1 file was deleted; 1 file with 2\.0 MB is left/,
  );
  expect(JSON.parse(await run({ maxSize: "1MB", delete: true, json: true }))).toMatchObject({
    deleted: true,
    files: [{ name: "new.csv" }],
    kept: 0,
    bytes: 0,
  });
});

it.each([
  [{ delete: true }, /which files/],
  [{ olderThan: "soon" }, /"soon" is no time/],
  [{ maxSize: "big" }, /"big" is no size/],
])("refuses %j", async (options, why) => {
  await expect(openHome().run(options)).rejects.toThrow(why);
});

it("makes a new key for links, and ends those that were given out when asked to", async () => {
  const { home, run } = openHome();
  const keys = fileLinkKeys(home);
  const [first] = await keys.read();
  expect(await run({ newLinkKey: true })).toMatch(/hold until they expire/);
  expect((await keys.read())[1]).toEqual(first);
  expect(await run({ revokeLinks: true })).toMatch(/has ended/);
  expect(await keys.read()).not.toContainEqual(first);
});
