import { globSync, readFileSync } from "node:fs";

import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url);

/** Who opens connections, and why it may. Everybody else takes a `fetch`, which one of these is. */
const MAY: { readonly [file: string]: string } = {
  "packages/core/src/adapters/node/send.ts": "the one place that sends, checked or not",
  "packages/core/src/adapters/node/node-fetch.ts": "where the environment names a proxy",
  "packages/a2a/src/adapters/default-fetch.ts": "the client in a browser, which has its own guard",
  "packages/mcp/src/adapters/tracked-fetch.ts":
    "the address a server is configured with; the SDK follows no redirect to another origin",
  "packages/workflow-restate/src/adapters/any-server.ts":
    "the servers of Restate it is configured with; no redirect is followed",
};

/** Whatever leads out of a program beside a bare `fetch`. */
const OPENS = [
  /(?<!typeof )globalThis\.fetch/,
  /import \{[^}]*\b(?<!type )(request|get|connect|createConnection)\b[^}]*\} from "node:(https?|net|tls|http2)"/,
  /import (\w+|\* as \w+) from "node:(https?|net|tls|http2)"/,
  /new (WebSocket|EventSource|XMLHttpRequest)\b/,
  /from "(undici|axios|got|ws|node-fetch)"/,
];

/** Where lint lets the global `fetch` be called. One that was handed in has its type written down. */
const EXEMPT = /(^|\/)(adapters|bin)\/|(^|\/)main\.ts$/;
const callsFetch = (code: string): boolean =>
  /(?<![\w.])fetch\(/.test(code) && !/\bfetch: Fetch\b/.test(code);

it("nobody opens connections but the few that are named here", () => {
  const files = globSync(["packages/*/src/**/*.{ts,tsx}", "apps/*/src/**/*.ts"], {
    cwd: root,
    exclude: ["**/*test.ts", "**/*.test.tsx", "**/testing/**", "**/fixtures/**"],
  });
  expect(files.length).toBeGreaterThan(500);
  const opening = files.filter((file) => {
    const code = readFileSync(new URL(file, root), "utf8").replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "");
    return OPENS.some((form) => form.test(code)) || (EXEMPT.test(file) && callsFetch(code));
  });
  expect(opening.toSorted()).toEqual(Object.keys(MAY).toSorted());
});
