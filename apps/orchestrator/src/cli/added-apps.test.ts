import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, it } from "vitest";

import { testContext } from "../testing/test-context.ts";
import { cleanUp, temporaryFolder } from "../testing/troupe.ts";
import { addedText } from "./added-apps.ts";
import { recordServers } from "./server-record.ts";

afterEach(cleanUp);

it("names apps that came after the servers were started, and none where those are not ours", () => {
  const appsRoot = temporaryFolder();
  const home = temporaryFolder();
  mkdirSync(join(home, "run"));
  const context = testContext(home, { appsRoot });
  const add = (name: string): void => {
    mkdirSync(join(appsRoot, name));
    const troupe = { kind: "agent", port: 4001 };
    writeFileSync(join(appsRoot, name, "package.json"), JSON.stringify({ name, troupe }));
  };
  const url = "http://127.0.0.1:1";
  add("rag-agent");
  expect(addedText(context, url)).toBe("");
  recordServers(home, url, [{ name: "rag-agent", kind: "agent", url }]);
  expect(addedText(context, url)).toBe("");
  add("units-agent");
  expect(addedText(context, url)).toBe(
    '"units-agent" was added after the servers that are up were started, which do not know it yet. Restart `troupe up`.\n',
  );
  expect(addedText(context, "http://127.0.0.1:2")).toBe("");
});
