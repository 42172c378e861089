import { createHash } from "node:crypto";

import type { RemoteAgent } from "@troupe/a2a/client";

import { answerPieces, fileName, fileSha256, wordsOf } from "./crash-work.ts";
import type { Followed } from "./follow.ts";
import { getTask, type WireTask } from "./wire-task.ts";

const RESTARTED = "agent.restarted";

/** What is wrong with a task that has been followed to its end; empty when all is as it must be. */
export async function checkTask(
  remote: RemoteAgent,
  task: Followed,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { taskId = "", finish, messageId, work } = task;
  const wire = await getTask(remote.url, taskId);
  const again = await remote.send({ text: wordsOf(work), messageId }, { signal });
  const problems = [
    ...(again.taskId === taskId ? [] : [`the message led to ${taskId}, sent again to ${again.taskId}`]),
    ...(finish?.outcome === "completed" ? await checkCompleted(task, wire) : checkFailed(task, wire)),
  ];
  return problems.map((problem) => `${work.key}, task ${taskId}: ${problem}`);
}

function checkFailed({ finish, endedBefore }: Followed, { status }: WireTask): readonly string[] {
  if (endedBefore === true) return [`ended as ${finish?.outcome} while nothing was wrong`];
  if (finish?.outcome !== "failed" || finish.error?.code !== RESTARTED)
    return [`ended as ${finish?.outcome}, ${finish?.error?.code}: ${finish?.error?.message}`];
  return status.state === "TASK_STATE_FAILED" ? [] : [`its client saw it fail, it is ${status.state}`];
}

async function checkCompleted({ work, files, finish }: Followed, wire: WireTask): Promise<readonly string[]> {
  const problems: string[] = [];
  if (wire.status.state !== "TASK_STATE_COMPLETED")
    problems.push(`its client saw it complete, it is ${wire.status.state}`);
  const result = wire.artifacts?.find(({ name }) => name === "final_result");
  const answer = answerPieces(work).join("");
  if (result?.parts[0]?.data?.content !== answer) problems.push("final_result is not the answer");
  if (finish?.response.content !== answer) problems.push("its client was told another answer");
  if (files.length !== work.files) problems.push(`${files.length} of ${work.files} files`);
  for (let index = 0; index < work.files; index++) {
    const name = fileName(work, index);
    const ref = files.find((file) => file.name === name);
    const url = wire.artifacts?.find((artifact) => artifact.name === name)?.parts[0]?.url;
    const wanted = fileSha256(work, index);
    if (ref === undefined || url === undefined) problems.push(`${name} is missing`);
    else if (ref.sha256 !== wanted) problems.push(`${name} is said to be ${ref.sha256}, not ${wanted}`);
    else {
      const read = await sha256Of(url);
      if (read !== wanted) problems.push(`${name} was read as ${read}, not ${wanted}`);
    }
  }
  return problems;
}

async function sha256Of(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) return `HTTP ${response.status}`;
  const hash = createHash("sha256");
  for await (const chunk of response.body ?? []) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}
