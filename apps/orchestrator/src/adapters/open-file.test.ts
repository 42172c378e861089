import { expect, it } from "vitest";

import { openCommand } from "./open-file.ts";

it.each([
  ["darwin", {}, "open"],
  ["win32", {}, "explorer.exe"],
  ["linux", { DISPLAY: ":0" }, "xdg-open"],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, "xdg-open"],
  ["linux", {}, undefined],
  ["linux", { SSH_CONNECTION: "a b", DISPLAY: "localhost:10" }, "xdg-open"],
  ["darwin", { SSH_CONNECTION: "a b" }, undefined],
] as const)("on %s with %j files are opened by %s", (platform, env, command) => {
  expect(openCommand(platform, env)).toBe(command);
});
