import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterEach, beforeEach, expect, it } from "vitest";

const CHILD = fileURLToPath(new URL("../testing/kill-child.ts", import.meta.url));
const REPLAN_CHILD = fileURLToPath(new URL("../testing/replan-child.ts", import.meta.url));

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "troupe-kill-"));
});
afterEach(() => rm(folder, { recursive: true }));

function start(mode: "hang" | "end", child = CHILD) {
  const files = [join(folder, "journal.sqlite"), join(folder, "log")];
  return spawn(process.execPath, ["--conditions=troupe-source", child, ...files, mode], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

it("goes on after kill -9 in the last step: the same values, nothing finished done again", async () => {
  const first = start("hang");
  const [said] = (await once(first.stdout, "data")) as [Buffer];
  expect(said.toString()).toBe("in last step\n");
  first.kill("SIGKILL");
  expect((await once(first, "exit"))[1]).toBe("SIGKILL");

  const second = start("end");
  const [answer] = (await once(second.stdout, "data")) as [Buffer];
  expect(answer.toString()).toBe("a by hang, b by hang, c by hang, done\n");
  expect((await once(second, "exit"))[0]).toBe(0);
  expect(await readFile(join(folder, "log"), "utf8")).toBe("a\nb\nc\n");
});

it("resumes the same added steps after kill -9, without asking the model again", async () => {
  const first = start("hang", REPLAN_CHILD);
  const [said] = (await once(first.stdout, "data")) as [Buffer];
  expect(said.toString()).toBe("added step runs\n");
  first.kill("SIGKILL");
  expect((await once(first, "exit"))[1]).toBe("SIGKILL");

  const second = start("end", REPLAN_CHILD);
  const [answer] = (await once(second.stdout, "data")) as [Buffer];
  expect(JSON.parse(answer.toString())).toEqual({
    content: "the answer",
    steps: ["a completed", "b completed", "added-by-hang completed"],
    plans: [
      ["a", "b"],
      ["a", "b", "added-by-hang"],
    ],
  });
  expect((await once(second, "exit"))[0]).toBe(0);
  // The model was asked for steps once and for the answer once, each planned step ran once.
  expect((await readFile(join(folder, "log"), "utf8")).split("\n").toSorted()).toEqual([
    "",
    "a",
    "added-by-hang",
    "added-by-hang",
    "asked 0",
    "asked 1",
    "b",
  ]);
});
