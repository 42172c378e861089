import { expect, it } from "vitest";

import { inTask } from "../../testing/faulty-fetch.ts";
import { listOf } from "../../wire/json.ts";
import { notice, type Mutation } from "./notice.ts";

/** Changes what is matched in all JSON there is. */
const all = (pattern: RegExp | string, to: string) => ({
  text: (text: string) => text.replaceAll(pattern, to),
});

const FAULTS: readonly Mutation[] = [
  ["states in the words of 0.3", "json.enums", all("TASK_STATE_COMPLETED", "completed")],
  ["roles in the words of 0.3", "json.enums", all('"ROLE_USER"', '"user"')],
  ["enums as numbers", "json.enums", all('"TASK_STATE_COMPLETED"', "3")],
  ["names in snake case", "json.names", all('"artifactId"', '"artifact_id"')],
  ["times with an offset", "json.timestamps", all(/("timestamp":"[^"]*)Z"/g, '$1+00:00"')],
  ["times in seconds", "json.timestamps", all(/"timestamp":"[^"]*"/g, '"timestamp":"1700000000"')],
  ["messages without id", "json.required", all('"messageId"', '"message"')],
  ["artifacts without parts", "json.required-lists", all(/"parts":\[\{"text"[^\]]*\]/g, '"parts":[]')],
  ["a text that is none", "json.types", all(/"contextId":"[^"]*"/g, '"contextId":7')],
  ["parts that say their kind only", "json.one-content", all('{"text":', '{"kind":"text","value":')],
  [
    "text that is no UTF-8",
    "json.utf-8",
    { bytes: (bytes) => bytes.map((byte, n) => (byte === 0x48 && bytes[n + 1] === 0x65 ? 0xff : byte)) },
  ],
  [
    "artifacts of one id",
    "json.artifact-ids",
    inTask((task) => ({ ...task, artifacts: [task, task].flatMap((one) => listOf(one["artifacts"])) })),
  ],
  ["a task that differs by binding", "bindings.same-data", all(/^\{"id"/g, '{"only":"here","id"')],
  [
    "an error that differs by binding",
    "bindings.same-errors",
    all(/("code":400.*)"INVALID_PARAMS"/g, '$1"INVALID"'),
  ],
  ["a card with numbers for text", "card.shape", all(/"version":"[^"]*"/g, '"version":1')],
  ["a card without skills", "card.shape", all(/"skills":\[.*?\}\]/g, '"skills":[]')],
  [
    "a card as objects of a program",
    "card.shape",
    all('"capabilities":{', '"securitySchemes":{"a":{"$case":"b"}},"capabilities":{'),
  ],
  [
    "a version with a patch number",
    "card.version-form",
    all('"protocolVersion":"1.0"', '"protocolVersion":"1.0.0"'),
  ],
  ["a card without a tag", "card.etag", { head: { etag: null } }],
  ["a card that may not be kept", "card.cache-control", { head: { "cache-control": "no-store" } }],
];

it.each(FAULTS)("%s is noticed by %s", async (_name, requirement, fault) => {
  expect(await notice(requirement, fault)).not.toEqual([]);
});
