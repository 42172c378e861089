import { virtualClock } from "@troupe/core/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { artifactUri, isArtifactUri, parseArtifactUri } from "./artifact-uri.ts";
import { startDeadline } from "./deadline.ts";
import { META, readMeta, writeMeta } from "./meta.ts";
import { untilAborted } from "./until-aborted.ts";

describe("the address of a file", () => {
  it("comes back as it was written", () => {
    const part = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(part, part, (id, name) => {
        const uri = artifactUri(id, name);
        expect(isArtifactUri(uri)).toBe(true);
        expect(parseArtifactUri(uri)).toEqual({ id, name });
      }),
    );
  });

  it.each([
    "",
    "troupe-artifact://",
    "troupe-artifact://a",
    "troupe-artifact://a/b/c",
    "troupe-artifact://%/b",
    "x://a/b",
  ])("%j is none", (uri) => {
    expect(parseArtifactUri(uri)).toBeUndefined();
  });
});

describe("what travels in _meta", () => {
  it("comes back as it was written", () => {
    const call = {
      runId: "r",
      callId: "c",
      agent: "a",
      userId: "u",
      collectionId: "docs",
      deadlineMs: 5,
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    };
    expect(readMeta(writeMeta(call))).toEqual(call);
    expect(readMeta(writeMeta({}))).toEqual({});
  });

  it("refuses a user or a collection that cannot be used, as it would widen the call", () => {
    for (const key of [META.userId, META.collection])
      for (const value of [5, null, "", ["mine"], {}, "x".repeat(257)])
        expect(() => readMeta({ [key]: value })).toThrow(
          `_meta["${key}"] must be text of 1 to 256 characters`,
        );
  });

  it("counts anything else as absent when it is malformed", () => {
    const optional = Object.values(META).filter((key) => key !== META.userId && key !== META.collection);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...optional), fc.jsonValue()), (meta) => {
        for (const [key, value] of Object.entries(readMeta(meta))) {
          expect(typeof value).toBe(key === "deadlineMs" ? "number" : "string");
        }
      }),
    );
    expect(
      readMeta({ traceparent: "00-x", "troupe/runId": "x".repeat(257), "troupe/deadlineMs": -1 }),
    ).toEqual({});
    expect(readMeta(undefined)).toEqual({});
  });
});

describe("a deadline", () => {
  it("aborts when its time is over, and then has none left", async () => {
    const clock = virtualClock();
    const deadline = startDeadline(clock, 100, new AbortController().signal);
    await clock.advance(60);
    expect([deadline.remaining(), deadline.expired()]).toEqual([40, false]);
    await clock.advance(40);
    expect([deadline.remaining(), deadline.expired(), deadline.signal.aborted]).toEqual([0, true, true]);
  });

  it("aborts with its parent, for the parent's reason", () => {
    const clock = virtualClock();
    const parent = new AbortController();
    const deadline = startDeadline(clock, 100, parent.signal);
    const reason = new Error("enough");
    parent.abort(reason);
    expect([deadline.signal.reason, deadline.expired()]).toEqual([reason, false]);
    expect(startDeadline(clock, undefined, parent.signal).signal.reason).toBe(reason);
  });

  it("leaves nothing behind", () => {
    const clock = virtualClock();
    startDeadline(clock, 100, new AbortController().signal).dispose();
    expect(clock.pending).toBe(0);
  });
});

describe("waiting for work or an end", () => {
  it("takes what is first, and swallows a late failure", async () => {
    const controller = new AbortController();
    const work = Promise.withResolvers<string>();
    const waited = untilAborted(work.promise, controller.signal).catch((error: unknown) => error);
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await waited).toBe(reason);
    work.reject(new Error("late"));
    await expect(untilAborted(Promise.reject(new Error("later")), controller.signal)).rejects.toBe(reason);
    expect(await untilAborted(Promise.resolve(1), new AbortController().signal)).toBe(1);
  });
});
