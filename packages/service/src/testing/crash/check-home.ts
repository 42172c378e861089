import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Followed } from "./follow.ts";
import { RUNS_FILE } from "./runs-file.ts";
import { countTasks, getTask } from "./wire-task.ts";

/** What is wrong with a home as a whole, beside the tasks one by one. */
export async function checkHome(home: string, url: string, tasks: readonly Followed[]): Promise<string[]> {
  const problems: string[] = [];
  const known = await countTasks(url);
  if (known !== tasks.length) problems.push(`${tasks.length} messages have led to ${known} tasks`);
  for (const state of ["TASK_STATE_WORKING", "TASK_STATE_SUBMITTED"]) {
    const stuck = await countTasks(url, state);
    if (stuck > 0) problems.push(`${stuck} tasks are ${state} though nobody works on them`);
  }
  const runs = (await readFile(join(home, RUNS_FILE), "utf8")).split("\n").filter((line) => line !== "");
  const twice = runs.filter((run, at) => runs.indexOf(run) !== at);
  if (twice.length > 0) problems.push(`begun twice: ${twice.join(", ")}`);
  return problems;
}

/** Every task is what it was found to be in its round. */
export async function checkKept(url: string, tasks: readonly Followed[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { taskId = "", finish, work } of tasks) {
    const { status } = await getTask(url, taskId);
    const wanted = `TASK_STATE_${finish?.outcome.toUpperCase()}`;
    if (status.state !== wanted) problems.push(`${work.key} was ${wanted} and is ${status.state}`);
  }
  return problems;
}

/** Files whose bytes are not what their name says, of those that `seen` does not name yet. */
export async function tornFiles(home: string, seen: Set<string>): Promise<string[]> {
  const folder = join(home, "artifacts");
  const torn: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile() || !/^[0-9a-f]{64}$/.test(entry.name) || seen.has(entry.name)) continue;
    seen.add(entry.name);
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(join(entry.parentPath, entry.name)))
      hash.update(chunk as Uint8Array);
    if (hash.digest("hex") !== entry.name) torn.push(entry.name);
  }
  return torn;
}
