import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, it } from "vitest";

import { runHere } from "../../testing/run-here.ts";
import { cleanUp, temporaryFolder, type Finished } from "../../testing/troupe.ts";

afterEach(cleanUp);

it("sets and shows who owns a collection and who may read it", { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  const home = join(folder, "home");
  writeFileSync(join(folder, "pay.csv"), "level,bonus\n4,7350\n");
  const troupe = (...args: readonly string[]): Promise<Finished> =>
    runHere(args, { home, env: { TROUPE_AUTH: "on" } });
  const taken = await troupe("ingest", join(folder, "pay.csv"), "--collection", "payroll");
  expect(taken.code).toBe(0);
  expect(taken.stderr).toContain(
    'Collection "payroll" has no owner, so no user may read it. Set one with: troupe collections share payroll --owner USER\n',
  );
  expect(await troupe("collections", "share", "payroll", "--owner", "ann")).toMatchObject({
    code: 0,
    stdout: "payroll: owner ann, readers nobody else\n",
    stderr: "",
  });
  const shared = await troupe("collections", "share", "payroll", "--readers", "bob, carl");
  expect(shared.stdout).toBe("payroll: owner ann, readers bob, carl\n");
  expect((await troupe("collections")).stdout).toMatch(/^payroll: 1 table; owner ann, readers bob, carl\n/);
  const again = ["ingest", join(folder, "pay.csv"), "--collection", "payroll", "--readers", "everyone"];
  expect(await troupe(...again)).toMatchObject({ code: 0, stderr: "" });
  const listed = await troupe("collections", "--json");
  expect(JSON.parse(listed.stdout)).toMatchObject([{ name: "payroll", owner: "ann", readers: "everyone" }]);

  for (const [args, message] of [
    [["pay", "--owner", "ann"], /There is no collection "pay"\. Did you mean "payroll"\?/],
    [["payroll"], /Say what to set: --owner USER, --readers USERS/],
    [["payroll", "--readers", "bob,everyone"], /"bob,everyone" names everyone and single users/],
    [["payroll", "--owner", ""], /"" is not a user id/],
  ] as const)
    expect(await troupe("collections", "share", ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(message) as unknown,
    });
});
