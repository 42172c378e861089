import { serveHttp } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { asksCallers } from "./asks-callers.ts";

it.each([
  [200, false],
  [401, true],
  [503, undefined],
])("takes HTTP %i of the servers that are up for: they ask who calls, %s", async (status, asks) => {
  const server = await serveHttp((_req, res) => void res.writeHead(status).end("{}"));
  expect(await asksCallers(server.url)).toBe(asks);
  server.close();
});
