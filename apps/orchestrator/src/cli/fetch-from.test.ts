import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { serveHttp } from "@troupe/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { testContext } from "../testing/test-context.ts";
import { fetchFrom, fetchOwnFiles } from "./fetch-from.ts";

const refused = { code: "network.refused" };
let close = (): void => undefined;
let url = "";
let folder = "";
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "troupe-from-"));
  ({ url, close } = await serveHttp((request, response) => response.end(`here ${request.url}`)));
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

describe("what leads on from an address that was typed", () => {
  it("may be anything on this machine where that is", async () => {
    const fetch = fetchFrom(testContext(folder, {}), "http://localhost:1");
    expect(await (await fetch(url)).text()).toBe("here /");
    await expect(fetch("http://10.0.0.1/")).rejects.toMatchObject(refused);
  });

  it("is nothing inside where it was typed of outside, unless the settings say so", async () => {
    const typed = "https://agents.example/card.json";
    await expect(fetchFrom(testContext(folder, {}), typed)(url)).rejects.toMatchObject(refused);
    const env = { TROUPE_ALLOWED_ORIGINS: JSON.stringify([url]) };
    expect((await fetchFrom(testContext(folder, { env }), typed)(url)).status).toBe(200);
    const file = join(folder, "own.json");
    writeFileSync(file, JSON.stringify({ allowed_origins: [url] }));
    const named = testContext(folder, { env: { TROUPE_CONFIG: file } });
    expect((await fetchFrom(named, typed)(url)).status).toBe(200);
  });
});

it("fetches files under the public address of the own servers from the local one", async () => {
  mkdirSync(join(folder, "run"));
  const owner = { pid: 1, url, publicUrl: "https://troupe.example/team", instance: "one", since: 0 };
  writeFileSync(join(folder, "run", "owner.json"), JSON.stringify(owner));
  const fetch = fetchOwnFiles(testContext(folder, {}));
  const file = await fetch("https://troupe.example/team/artifacts/1?exp=2");
  expect(await file.text()).toBe("here /team/artifacts/1?exp=2");
  expect(await (await fetch(`${url}/other`)).text()).toBe("here /other");
});
