import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog, type ModelRequest } from "@troupe/core";
import { collectAnswer, scriptedModel } from "@troupe/core/testing";
import { type ChosenModel } from "@troupe/models";
import { expect, it, onTestFinished } from "vitest";

import { withRecording } from "./with-recording.ts";

const request: ModelRequest = { system: "", messages: [{ role: "user", text: "Hello?" }], tools: [] };
const process = { agent: "rag-agent", log: silentLog };

function chosen(text: string, kind: ChosenModel["kind"] = "anthropic"): ChosenModel {
  return { kind, model: scriptedModel([{ text }]), describe: "Running on a model." };
}

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "troupe-recording-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "job.jsonl");
}

async function textOf({ model }: ChosenModel): Promise<string> {
  const { text } = await collectAnswer(model.stream(request, { signal: new AbortController().signal }));
  return text;
}

it("records answers in a file that only its owner can read, and replays them without the model", async () => {
  const record = temporaryFile();
  const recorded = withRecording(chosen("Good morning."), { record }, process);
  expect(await textOf(recorded)).toBe("Good morning.");
  expect(recorded.describe).toBe(`Running on a model. Its answers are kept in ${record}.`);
  expect(statSync(record).mode & 0o077).toBe(0);

  const replayed = withRecording(chosen("Good night.", "playbook"), { replay: record }, process);
  expect(replayed).toMatchObject({
    kind: "recorded",
    describe: `The words of the model are a recording of scripted (${record}); everything else is live.`,
  });
  expect(await textOf(replayed)).toBe("Good morning.");
  // Asked again, as a server that stays up is.
  expect(await textOf(replayed)).toBe("Good morning.");
});

it("appends to an existing recording", async () => {
  const record = temporaryFile();
  await textOf(withRecording(chosen("One."), { record }, process));
  await textOf(withRecording(chosen("Two."), { record }, process));
  expect(readFileSync(record, "utf8").trim().split("\n")).toHaveLength(2);
});

it("leaves the model unchanged without either setting", () => {
  const model = chosen("Hello.");
  expect(withRecording(model, {}, process)).toBe(model);
});

it.each([
  ["both are set", { record: "a", replay: "b" }, /are both set/],
  [
    "the recording is missing",
    { replay: "/nowhere/job.jsonl" },
    /TROUPE_REPLAY, "\/nowhere\/job.jsonl".*ENOENT/,
  ],
  [
    "the file cannot be written",
    { record: "/nowhere/job.jsonl" },
    /TROUPE_RECORD, "\/nowhere\/job.jsonl".*ENOENT/,
  ],
])("says so where %s", (_, settings, message) => {
  expect(() => withRecording(chosen(""), settings, process)).toThrow(message);
});

it("refuses a file that is not a recording, and to record rules", () => {
  const replay = temporaryFile();
  writeFileSync(replay, "Hello.\n");
  expect(() => withRecording(chosen(""), { replay }, process)).toThrow(/job\.jsonl, line 1/);
  expect(() => withRecording(chosen("", "playbook"), { record: replay }, process)).toThrow(
    /no model is set\. Set ANTHROPIC_API_KEY/,
  );
});
