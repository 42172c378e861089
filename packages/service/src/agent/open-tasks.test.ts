import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog } from "@troupe/core";
import { expect, it, onTestFinished } from "vitest";

import { agentSettings } from "./agent-settings.ts";
import { openTasks } from "./open-tasks.ts";

it("keeps tasks and waiting runs in the home folder when no database is named", async () => {
  const home = mkdtempSync(join(tmpdir(), "troupe-tasks-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const given = { home, name: "notes-agent", url: undefined, log: silentLog };
  const tasks = await openTasks(given);
  expect(tasks.store.shared).toBeUndefined();
  expect(await tasks.suspended().load("run-1")).toBeUndefined();
  await expect(openTasks(given)).rejects.toMatchObject({ code: "store.locked" });
  await tasks.close();
  await (await openTasks(given)).close();
});

it("says that a database cannot be reached, and nothing of its address", async () => {
  const url = "postgres://ann:hunter2@127.0.0.1:9/none";
  const opened = openTasks({ home: "", name: "notes-agent", url, log: silentLog });
  await expect(opened).rejects.toMatchObject({ code: "store.io" });
  await expect(opened).rejects.not.toThrow(/hunter2/);
});

it("takes the address of a Postgres and of nothing else", () => {
  const urlOf = (tasks_url?: string) => agentSettings(0).parse({ tasks_url }).tasks_url;
  for (const url of ["postgres://db/tasks", "postgresql://ann:b@db:5432/tasks?sslmode=require"])
    expect(urlOf(url)).toBe(url);
  for (const url of ["mysql://db/tasks", "tasks", "https://db/tasks"])
    expect(() => urlOf(url)).toThrow(/tasks_url/);
});
