import { expect, it } from "vitest";

import { shellWord, typed } from "./typed.ts";

it.each([
  [{ npm_lifecycle_event: "troupe", npm_package_name: "troupe" }, "npm run --silent troupe -- runs"],
  [{ npm_lifecycle_event: "start", npm_package_name: "troupe" }, "npm run --silent troupe -- runs"],
  // A script of somebody else's package finds the command on its path.
  [{ npm_lifecycle_event: "start", npm_package_name: "reports" }, "troupe runs"],
  [{}, "troupe runs"],
])("writes a command the way the process was started: %j", (env, command) => {
  expect(typed({ env }, "runs")).toBe(command);
});

it.each([
  ["mail", "mail"],
  ["to=...", "to=..."],
  ["a b", "'a b'"],
  ["x;rm -rf ~ #=...", "'x;rm -rf ~ #=...'"],
  ["$(id)`id`\n|", "'$(id)`id`\n|'"],
  ["it's", String.raw`'it'\''s'`],
  ["", "''"],
])("quotes %j for a shell", (word, quoted) => {
  expect(shellWord(word)).toBe(quoted);
});
