import { readFileSync } from "node:fs";
import { join } from "node:path";

import { isTroupeError } from "@troupe/core";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { cleanJson } from "./clean-json.ts";
import { replayRun } from "./replay-run.ts";
import { parseRunExport } from "./run-export.ts";

const text = readFileSync(join(import.meta.dirname, "corpus", "run-v1.json"), "utf8");
const whole = () => JSON.parse(text) as { readonly [key: string]: object };
const eventsAt = (at: number) => ({
  ...whole(),
  events: (whole()["events"] as object[]).map((event) => ({ ...event, at })),
});

describe("parseRunExport", () => {
  it("keeps what it reads as it stands, also what a later program has added", () => {
    const added = { ...whole(), spec: { ...whole()["spec"], later: 1 } };
    expect(parseRunExport(JSON.stringify(added)).spec).toEqual(added.spec);
    expect(parseRunExport(text)).toEqual(whole());
  });

  it.each<[string, unknown, string]>([
    ["no JSON", "not {", "is JSON; this is not"],
    ["nothing", null, '"kind" is not "troupe.run"'],
    ["a list", [], '"kind" is not "troupe.run"'],
    ["another file", { v: 1, kind: "capture" }, '"kind" is not "troupe.run"'],
    ["a later version", { ...whole(), v: 2 }, "has version 2; this program reads version 1"],
    ["no run", { v: 1, kind: "troupe.run" }, "run: Invalid input"],
    ["a path for an id", { ...whole(), run: { ...whole()["run"], runId: "" } }, "runId"],
    [
      "an id that would be shown as another one",
      { ...whole(), run: { ...whole()["run"], runId: "a\u001b[31m" } },
      "run.runId: must have no control characters",
    ],
    ["a beginning at no time", { ...whole(), run: { ...whole()["run"], createdAt: 1e300 } }, "run.createdAt"],
    [
      "a beginning before all times",
      { ...whole(), run: { ...whole()["run"], createdAt: -1 } },
      "run.createdAt",
    ],
    ["an event at no time", eventsAt(1e300), "events.0.at"],
    ["an event at a part of a millisecond", eventsAt(0.5), "events.0.at"],
    [
      "events that are none",
      { ...whole(), events: [{ position: 0, key: "k", at: 0, event: { type: "x" } }] },
      "events",
    ],
    ["a journal of words", { ...whole(), journal: ["begin"] }, "journal"],
    ["an outcome of a run that waits", { ...whole(), outcome: { outcome: "input-required" } }, "outcome"],
    [
      "too many steps",
      {
        ...whole(),
        spec: { ...whole()["spec"], steps: Array.from({ length: 101 }, () => ({})) },
      },
      "spec",
    ],
  ])("refuses %s, and says what is wrong", (_name, value, message) => {
    const file = typeof value === "string" ? value : JSON.stringify(value);
    expect(() => parseRunExport(file)).toThrow(message);
  });

  it("refuses what is nested so deep that nothing could be done with it", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(() => parseRunExport(`{"v":1,"kind":"troupe.run","run":${deep}}`)).toThrow("levels deep");
  });

  it("takes keys that every object has for what they are", async () => {
    const hostile = text
      .replaceAll('"stepId": "find"', '"stepId": "constructor"')
      .replaceAll('"id": "find"', '"id": "constructor"')
      .replaceAll('"find"', '"constructor"')
      .replaceAll("find#", "constructor#")
      .replaceAll("find/", "constructor/");
    expect((await replayRun(parseRunExport(hostile))).entries).toBeGreaterThan(3);
    const proto = text.replace('"signals": {', '"signals": { "__proto__": { "polluted": true },');
    parseRunExport(proto);
    expect({}).not.toHaveProperty("polluted");
  });

  it("reads, or says what is wrong, and replays to a report, whatever was changed", async () => {
    const places = pathsIn(whole());
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 2 }), async (path, value) => {
        const file = changedAt(whole(), path, value);
        const result = await readAndReplay(JSON.stringify(file));
        expect(["same", "differs", "open", "input.invalid", "input.unsupported"]).toContain(result);
      }),
      { numRuns: 40 },
    );
  });
});

describe("cleanJson", () => {
  it("takes secrets from texts and addresses, and who answered, and leaves the rest", () => {
    const scrub = (said: string): string => said.replaceAll("hunter2", "***");
    const answered = { requestId: "who", at: 1, through: "cli" };
    expect(
      cleanJson(
        {
          said: ["it is hunter2"],
          file: { url: "https://ann:pw@files.test/f/deck.pptx?sig=abc#x" },
          place: { url: "hunter2/no address" },
          answered: { ...answered, by: "ann" },
          approach: { by: "rules" },
          n: 1,
          none: null,
        },
        scrub,
      ),
    ).toEqual({
      said: ["it is ***"],
      file: { url: "https://files.test/f/deck.pptx" },
      place: { url: "***/no address" },
      answered,
      approach: { by: "rules" },
      n: 1,
      none: null,
    });
  });

  it("keeps a key that is no key of an object", () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":"x"},"constructor":"x"}');
    expect(JSON.stringify(cleanJson(value, (said) => said))).toBe(JSON.stringify(value));
  });
});

/** What came of it: a result, or the code with which it was refused. */
async function readAndReplay(file: string): Promise<string> {
  try {
    return (await replayRun(parseRunExport(file))).result;
  } catch (error) {
    return isTroupeError(error) ? error.code : String(error);
  }
}

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, one]) => pathsIn(one, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

function changedAt(value: unknown, [key, ...rest]: Path, to: unknown): unknown {
  if (key === undefined) return to;
  const copy: { [key: string]: unknown } = Array.isArray(value)
    ? ([...(value as unknown[])] as never)
    : { ...(value as object) };
  copy[key] = changedAt(copy[key], rest, to);
  return copy;
}
