import { expect, it } from "vitest";

import { unknownSwitches } from "./unknown-switches.ts";

it("names each ENABLE_ variable that nothing reads, with the nearest one that is", () => {
  const env = {
    ENABLE_POLICY_MIDDLWARE: "false",
    ENABLE_DETERMINISTIC_TASK_MIDDLEWARE: "true",
    ENABLE_TELEPORT: "1",
    ENABLE_EMPTY: "",
    PATH: "/bin",
  };
  expect(unknownSwitches(env)).toEqual([
    "ENABLE_DETERMINISTIC_TASK_MIDDLEWARE has no effect: plans are made by the orchestrator, not by a middleware.",
    'ENABLE_POLICY_MIDDLWARE has no effect: there is no such setting. Did you mean "ENABLE_POLICY_MIDDLEWARE"?',
    "ENABLE_TELEPORT has no effect: there is no such setting.",
  ]);
});

it("knows every switch by its name and by those it has elsewhere", () => {
  const names = [
    "ENABLE_MIDDLEWARE",
    "ENABLE_POLICY_MIDDLEWARE",
    "ENABLE_FILE_ARGUMENTS_MIDDLEWARE",
    "ENABLE_FILE_ARG_MIDDLEWARE",
    "ENABLE_WORKFLOW_CATALOGUE_MIDDLEWARE",
    "ENABLE_SELF_SERVICE_MIDDLEWARE",
    "ENABLE_SKILLS_MIDDLEWARE",
    "ENABLE_STRUCTURED_OUTPUT",
  ];
  expect(unknownSwitches(Object.fromEntries(names.map((name) => [name, "false"])))).toEqual([]);
});
