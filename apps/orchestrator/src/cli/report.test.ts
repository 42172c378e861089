import { AgentError } from "@troupe/core";
import { expect, it } from "vitest";
import { z } from "zod";

import { report } from "./report.ts";

async function reported(error: unknown) {
  let said = "";
  const code = await report(error, (text) => void (said += text));
  return [code, said] as const;
}

it("says what to do where no more files may be open, whatever that was found out by", async () => {
  const system = Object.assign(new Error("listen EMFILE: too many open files 127.0.0.1"), { code: "EMFILE" });
  const fetched = new TypeError("fetch failed", { cause: system });
  const away = new AgentError("agent.unreachable", "It cannot be reached.", { cause: fetched });
  const sentence =
    "troupe: More files and connections are needed at once than may be open. Allow more, such as with `ulimit -n 1024` in this shell, and try again.\n";
  expect(await reported(system)).toEqual([1, sentence]);
  expect(await reported(away)).toEqual([5, sentence]);
});

it("says of what nobody expected where to look", async () => {
  const [code, said] = await reported(new RangeError("out of range"));
  expect(code).toBe(1);
  expect(said).toMatch(/^troupe: Something unexpected went wrong: RangeError: out of range\nRun again with/);
});

it("names the first thing that is wrong with data of another shape, not a list in JSON", async () => {
  const { error } = z.object({ tables: z.array(z.string()) }).safeParse({ tables: [1, 2] });
  expect((await reported(error))[1]).toMatch(
    /^troupe: Something unexpected went wrong: data with an unexpected shape \(tables\.0: [^[\n]*\)\n/,
  );
});
