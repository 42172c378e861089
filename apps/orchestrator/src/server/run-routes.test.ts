import { answering } from "@troupe/a2a/testing";
import type { RunView } from "@troupe/workflow";
import { afterEach, expect, it } from "vitest";

import { ask } from "../adapters/get-json.ts";
import { smallOrchestrator } from "../testing/small-orchestrator.ts";
import { cleanUp } from "../testing/troupe.ts";

afterEach(cleanUp);

const who = { id: "who", kind: "human", form: { title: "Who?", fields: [{ field_name: "audience" }] } };

/** An orchestrator with a run that has ended and, after it, one that waits. */
async function served(given: object = {}) {
  const { url, troupe, workflow } = await smallOrchestrator({ one: () => answering(["1"]) }, given);
  await troupe([
    "run",
    "--quiet",
    "--workflow",
    workflow([{ id: "first", agent: "one", instruction: "One." }]),
  ]);
  await troupe(["run", "--quiet", "--workflow", workflow([who])]);
  const get = (path: string, init: RequestInit = {}) => fetch(`${url}/api/runs${path}`, init);
  const [open, ended] = (await (await get("")).json()) as RunView[];
  const refused = async (path: string, init?: RequestInit) => {
    const response = await get(path, init);
    const { error } = (await response.json()) as {
      readonly error: { readonly code: string; readonly message: string };
    };
    return `${response.status} ${error.code}: ${error.message}`;
  };
  return { url, get, refused, troupe, open: open?.runId ?? "", ended: ended?.runId ?? "" };
}

const post = { method: "POST" } as const;
/** Ids and positions of the events of a stream. */
const idsOf = (text: string) =>
  [...text.matchAll(/^id: (\d+)\ndata: (.*)\n\n/gm)].map(([, id = "", data = ""]) => [
    Number(id),
    (JSON.parse(data) as { readonly position: number }).position,
  ]);

it("streams the events of a run with their positions, from any of them on, as EventSource asks for them", async () => {
  const { get, refused, open, ended } = await served();
  const whole = await get(`/${ended}/events`);
  expect(whole.headers.get("content-type")).toMatch(/^text\/event-stream/);
  const all = idsOf(await whole.text());
  expect(all).toEqual(all.map((_, at) => [at, at]));
  expect(all.length).toBeGreaterThan(4);
  expect(idsOf(await (await get(`/${ended}/events?from=3`)).text())).toEqual(all.slice(3));
  // What it has is behind the last one it saw, whatever it was first asked for.
  const again = await get(`/${ended}/events?from=1`, { headers: { "Last-Event-ID": "3" } });
  expect(idsOf(await again.text())).toEqual(all.slice(4));
  expect(await (await get(`/${ended}/events?from=9999`)).text()).toBe("");
  expect(await refused(`/${open}/events?from=9999`)).toMatch(
    /^400 input.invalid: Position 9999 is beyond .* its last event so far at position \d+\. Ask from/,
  );
  for (const from of ["-1", "x", "1.5"])
    expect(await refused(`/${ended}/events?from=${from}`)).toBe(
      `400 input.invalid: "${from}" is no position. Positions count from 0.`,
    );
});

it("lets a caller follow as many runs at a time as it may have streams open, and gives the place of one that ended back", async () => {
  const { get, troupe, open, ended } = await served({ server_limits: { streamsPerUser: 1 } });
  const left = new AbortController();
  const held = await get(`/${open}/events`, { signal: left.signal });
  expect(held.status).toBe(200);
  const tooMany = await get(`/${ended}/events`);
  expect([tooMany.status, tooMany.headers.get("Retry-After")]).toEqual([429, "1"]);
  let shown = "";
  const watched = await troupe(["watch", ended], {
    // The stream ends once `watch` has been refused, so that it is refused and then succeeds.
    err: (text) => {
      shown += text;
      if (text.includes("refuses this for now")) left.abort();
    },
  });
  expect(watched.code).toBe(0);
  expect(shown).toMatch(/1 streams of yours are open already; .*\n[^]*\[first\] completed/);
  await expect.poll(async () => (await get(`/${ended}/events?from=9999`)).status).toBe(200);
  // Those of a run that has ended are over when they are read.
  for (let times = 0; times < 2; times++) await (await get(`/${ended}/events`)).text();
  expect((await get(`/nosuch/events`)).status).toBe(404);
  expect((await get(`/${open}/events?from=9999`)).status).toBe(400);
  expect((await get(`/${open}/events`)).status).toBe(200);
});

it("says with a status and a code what cannot be done with a run", async () => {
  const { get, refused, open, ended } = await served();
  expect(await refused(`/${open}/retry`, post)).toMatch(/^409 input.unsupported: /);
  expect(await refused(`/${ended}/retry`, post)).toMatch(/^400 input.invalid: /);
  expect(await refused(`/${ended}/retry?from=nosuch`, post)).toMatch(/^400 input.invalid: /);
  for (const path of ["/nosuch/detail", "/nosuch/export", "/nosuch/events"])
    expect(await refused(path)).toMatch(/^404 input.not-found: /);
  expect(await (await get(`/${ended}/resume`, post)).json()).toEqual({ answer: "no-run" });
  expect(await (await get(`/${open}/resume`, post)).json()).toEqual({ answer: "at-work" });
  // What a page of another site may have a browser do is to read, and it may not read the answer.
  const foreign = { ...post, headers: { Origin: "https://elsewhere.test" } };
  expect((await get(`/${ended}/retry?from=first`, foreign)).status).toBe(403);
  expect((await get(`/${ended}/nosuch`)).status).toBe(404);
});

it("lists runs by state and page by page, and says what is no such question", async () => {
  const { get, refused, open, ended } = await served();
  const ids = async (query: string) =>
    ((await (await get(query)).json()) as RunView[]).map(({ runId }) => runId);
  expect(await ids("?status=waiting")).toEqual([open]);
  expect(await ids("?status=completed&status=input-required")).toEqual([open, ended]);
  expect(await ids(`?limit=1`)).toEqual([open]);
  expect(await ids(`?limit=1&before=${open}`)).toEqual([ended]);
  for (const query of [
    "?limit=0",
    "?limit=1001",
    "?limit=4294967296",
    "?limit=1e300",
    "?limit=x",
    "?status=done",
  ])
    expect(await refused(query)).toMatch(/^400 input.invalid: /);
});

it("begins one run for a retry that is sent twice with one Idempotency-Key, and refuses the key for another", async () => {
  const { url, get, refused, ended } = await served();
  const retry = (key: string) => ({ ...post, headers: { "Idempotency-Key": key } });
  const begun = async (init: RequestInit) => {
    const response = await get(`/${ended}/retry?from=first`, init);
    return ((await response.json()) as { readonly runId: string }).runId;
  };
  const [one, same, other, none] = await Promise.all([
    begun(retry("k 1")),
    begun(retry("k 1")),
    begun(retry("k 2")),
    begun(post),
  ]);
  expect(same).toBe(one);
  expect(new Set([one, other, none, ended]).size).toBe(4);
  // Those of the beginning, and three.
  expect((await (await get("")).json()) as RunView[]).toHaveLength(5);
  // The retry of a retry under the key of the first is another request.
  await (await get(`/${one}/events`)).text();
  expect(await refused(`/${one}/retry?from=first`, retry("k 1"))).toMatch(
    /^409 input.conflict: Run ".*" was begun with another run to do again/,
  );
  // So it is told at the command line too.
  const asked = { ...retry("k 1"), token: undefined, signal: AbortSignal.timeout(10_000) } as const;
  const again = ask(`${url}/api/runs/${one}/retry?from=first`, asked);
  await expect(again).rejects.toMatchObject({ code: "input.conflict" });
  for (const key of ["", "x".repeat(256)])
    expect(await refused(`/${ended}/retry?from=first`, retry(key))).toMatch(
      /^400 input.invalid: The Idempotency-Key must be/,
    );
});
