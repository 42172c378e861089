import { delegationPrompt, withChange, withSubject, type ModelMessage } from "@troupe/core";
import { answered, ask } from "@troupe/models/testing";
import { describe, expect, it } from "vitest";

import { playbook } from "./playbook.ts";

const suggest = (more: object = {}): readonly ModelMessage[] =>
  answered("suggest_queries", [
    JSON.stringify({
      statements: [
        { title: "Revenue by quarter", sql: "SELECT 1", note: "2026 is not complete.", rows: "2 of 3 rows" },
      ],
      unused: [],
      notes: [],
      ...more,
    }),
  ]);
const suggested = suggest();
const queried = answered("query_db", [
  "result-1a2b: 2 rows from sales.csv\nquarter | revenue_eur\n2025-01-01 | 1200.5\n2025-04-01 | 9000",
]);
const drawn = [
  ...answered("visualize", [
    '[chart-1] line chart "Revenue by quarter" (2 points)\nQuarter | Revenue (EUR)\n2025-Q1 | 1200.5\n2025-Q2 | 9000',
  ]),
  ...answered("analyze", ["2 rows\nFindings:\n- It grew 17 %.\n- Q2 is the peak.\n"]),
];

describe("the data playbook", () => {
  it("asks with the first line of what a step is told", () => {
    const prompt = delegationPrompt({
      v: 1,
      objective: "Make a deck.",
      instruction: 'Query the data for: sales figures.\nIt is for this request: "Make a deck by Friday."',
      expectedOutput: "The figures in words.",
      allowedTools: [],
      limits: {},
      results: {},
    });
    expect(playbook(ask(prompt)).calls).toEqual([
      { name: "suggest_queries", arguments: { question: "Query the data for: sales figures." } },
    ]);
    expect(playbook(ask("Revenue by quarter?")).calls?.[0]?.arguments).toEqual({
      question: "Revenue by quarter?",
    });
  });

  it("tells one finding where it is to be shorter, has its table anyway, and names a wish it does not follow", () => {
    const end = (change: string) =>
      playbook(ask(withChange("Revenue by quarter?", change), ...suggested, ...queried, ...drawn)).calls?.[0]
        ?.arguments;
    expect(end("again")?.["content"]).toContain("- Q2 is the peak.");
    expect(end("shorter")?.["content"]).not.toContain("- Q2 is the peak.");
    expect(end("in one sentence")).toMatchObject({
      content: expect.not.stringMatching(/\||\n-|##/),
      chart_ids: [],
      is_task_complete: true,
    });
    expect(end("add the sources")).toMatchObject({ is_task_complete: true });
    expect(end("as a table")).toMatchObject({ is_task_complete: true });
    expect(end("in German")).toMatchObject({
      content: expect.stringMatching(/\n\nNot used: in German\.$/),
      is_task_complete: false,
    });
  });

  it("asks for each of several questions, and tells what each was given", () => {
    const subject = "How many orders are there? How many customers are there?";
    const prompt = withSubject(`Query the data for: ${subject}`, { kind: "question", subject });
    const questions = ["How many orders are there?", "How many customers are there?"];
    const asked = playbook(ask(prompt)).calls?.map((call) => call.arguments);
    expect(asked).toEqual(questions.map((question) => ({ question })));
    expect(playbook(ask("How many orders and customers are there?")).calls).toHaveLength(2);
    const statement = (sql: string) => ({ title: sql, sql, note: "", rows: "9 rows" });
    const give = (...given: readonly (readonly string[])[]) =>
      answered(
        "suggest_queries",
        given.map((sqls) =>
          JSON.stringify({ statements: sqls.map((sql) => statement(sql)), unused: [], notes: [] }),
        ),
      );
    const queries = playbook(ask(prompt, ...give(["a", "b"], ["b", "c"]))).calls;
    expect(queries?.map((call) => call.arguments["sql"])).toEqual(["a", "b", "c"]);
    const after = [...give(["a"], []), ...queried, ...drawn];
    expect(playbook(ask(prompt, ...after)).calls?.[0]?.arguments).toMatchObject({
      content: expect.stringContaining('could not turn "How many customers are there?" into a query.'),
      is_task_complete: false,
    });
    expect(playbook(ask(prompt, ...give([], []))).calls?.[0]?.name).toBe("describe_data");
  });

  it("asks no more questions than it can, and names the others", () => {
    const asked = Array.from({ length: 20 }, (_, at) => `How many orders came in 20${at + 10}?`);
    const text = asked.join(" ");
    expect(playbook(ask(text)).calls).toHaveLength(8);
    const given = JSON.stringify({ statements: [], unused: [], notes: ["No row."] });
    const after = answered(
      "suggest_queries",
      Array.from({ length: 8 }, () => given),
    );
    expect(playbook(ask(text, ...after)).calls?.[0]?.arguments).toMatchObject({
      content: expect.stringMatching(/^Not asked[^]*in 2018\?[^]*in 2029\?\nNo row\.$/),
      is_task_complete: false,
    });
  });

  it("hands on which periods are not whole, so that no finding compares them", () => {
    const partial = ["2026-01-01"];
    const statement = { title: "Revenue by quarter", sql: "SELECT 1", note: "", partial, rows: "3 rows" };
    const given = suggest({ statements: [statement] });
    expect(playbook(ask("x", ...given, ...queried)).calls).toContainEqual({
      name: "analyze",
      arguments: { result_id: "result-1a2b", partial },
    });
  });

  it("queries, draws and analyses, and tells the findings under the chart's heading", () => {
    const before = [...suggested, ...queried];
    expect(playbook(ask("x", ...suggested)).calls).toEqual([
      { name: "query_db", arguments: { sql: "SELECT 1" } },
    ]);
    expect(
      playbook(ask("x", ...before)).calls?.map((call) => [call.name, call.arguments["result_id"]]),
    ).toEqual([
      ["visualize", "result-1a2b"],
      ["analyze", "result-1a2b"],
    ]);
    expect(playbook(ask("x", ...before, ...drawn)).calls?.[0]?.arguments).toMatchObject({
      content: [
        "## Revenue by quarter [chart-1]",
        "- It grew 17 %.",
        "- Q2 is the peak.",
        "",
        "| Quarter | Revenue (EUR) |",
        "| --- | --- |",
        "| 2025-Q1 | 1,200.5 |",
        "| 2025-Q2 | 9,000 |",
        "",
        "Table from sales.csv: 2 of 3 rows. 2026 is not complete.",
      ].join("\n"),
      chart_ids: ["chart-1"],
      is_task_complete: true,
    });
  });

  it("writes what is no finding in the one line under the first table", () => {
    const notes = ["The data covers 2023 to 2025."];
    const [call] = playbook(ask("x", ...suggest({ notes }), ...queried, ...drawn)).calls ?? [];
    const content = call?.arguments["content"];
    const lines = typeof content === "string" ? content.split("\n") : [];
    expect(lines.filter((line) => line.includes(notes[0] ?? ""))).toEqual([
      "Table from sales.csv: 2 of 3 rows. 2026 is not complete. The data covers 2023 to 2025.",
    ]);
  });

  it("says first what it did not do, and calls the answer a part of one", () => {
    const unused = ['Not used: filter "Ghent": no column has that value.'];
    const [call] = playbook(ask("x", ...suggest({ unused }), ...queried, ...drawn)).calls ?? [];
    expect(call?.arguments).toMatchObject({
      content: expect.stringMatching(/^Not used: filter "Ghent"[^]*\n\n## Revenue by quarter/),
      is_task_complete: false,
    });
  });

  it.each([
    ["query", "query_db"],
    ["chart", "visualize"],
    ["analysis", "analyze"],
  ])("says in one line which %s failed, and calls the answer a part of one", (what, tool) => {
    const statements = ["Orders by year", "Customers by year"].map((title) => ({
      title,
      sql: title,
      note: "",
      rows: "9 rows",
    }));
    const results = (name: string, texts: readonly string[]) =>
      answered(name, texts).map((message) =>
        message.role === "tool" && name === tool
          ? {
              ...message,
              results: message.results.map((one, at) =>
                at === 1
                  ? { ...one, isError: true, text: "The data server was restarted.\nTry again." }
                  : one,
              ),
            }
          : message,
      );
    const after = [
      ...suggest({ statements }),
      ...results("query_db", ["result-1: 2 rows\nyear | n\n1 | 2", "result-2: 2 rows\nyear | n\n1 | 3"]),
      ...results("visualize", ['[chart-1] column chart "Orders"', '[chart-2] column chart "Customers"']),
      ...results("analyze", ["2 rows\nFindings:\n- Orders rose.\n", "2 rows\n"]),
    ];
    const end = playbook(ask("x", ...after)).calls?.[0]?.arguments;
    expect(end).toMatchObject({ is_task_complete: false });
    expect(end?.["content"]).toMatch(
      `Not used: the ${what} of "Customers by year", which failed: The data server was restarted.\n\n## Orders by year`,
    );
  });

  it("answers that there are no rows, and which the data covers", () => {
    const notes = ["No row has product is Foresight, date in 2023.", "The data covers 2023 to 2025."];
    expect(playbook(ask("x", ...suggest({ statements: [], notes }))).calls?.[0]?.arguments).toMatchObject({
      content: notes.join("\n"),
      is_task_complete: true,
    });
    expect(
      playbook(ask("x", ...suggest({ statements: [], unused: [notes[0]] }))).calls?.[0]?.arguments,
    ).toMatchObject({ is_task_complete: false });
  });

  it("says the filter in every finding, and the figure of one row by its title", () => {
    const titles = [
      "Revenue (DACH) in 2025",
      "Revenue (DACH) by quarter",
      "Top 2 products by revenue (DACH)",
    ];
    const statements = titles.map((title) => ({ title, sql: title, note: "", rows: "9 rows" }));
    const after = [
      ...suggest({ statements }),
      ...answered("query_db", ["result-1: 1 row\nrevenue\n9", "result-2: 4 rows", "result-3: 2 rows"]),
      ...answered("visualize", ["", "", ""]),
      ...answered("analyze", [
        "1 row\nFindings:\n- Revenue is EUR 9.\n",
        "4 rows\nFindings:\n- Revenue rose 5 %.\n",
        "2 rows\nFindings:\n- A leads with 60 % of revenue.\n",
      ]),
    ];
    expect(playbook(ask("x", ...after)).calls?.[0]?.arguments).toMatchObject({
      content: expect.stringMatching(
        /- Revenue \(DACH\) in 2025 is EUR 9\.[^]*- Revenue \(DACH\) rose 5 %\.[^]*- A leads with 60 % of revenue \(DACH\)\./,
      ),
    });
  });

  it("leaves out a breakdown of one bar beside others", () => {
    const statements = ["Revenue", "Revenue by region"].map((title) => ({
      title,
      sql: title,
      note: "",
      rows: "9 rows",
    }));
    const results = answered("query_db", [
      "result-1: 1 row from a.csv\nrevenue\n9",
      "result-2: 1 row\nregion | revenue\nN | 9",
    ]);
    const charts = answered("visualize", [
      '[chart-1] number chart "Revenue"',
      '[chart-2] bar chart "Revenue by region"',
    ]);
    const analyses = answered("analyze", ["1 row\nFindings:\n- Revenue is 9.\n", "1 row\n"]);
    const after = [...suggest({ statements }), ...results, ...charts, ...analyses];
    expect(playbook(ask("x", ...after)).calls?.[0]?.arguments).toMatchObject({
      content:
        "## Revenue [chart-1]\n- Revenue is 9.\n\n| Revenue |\n| --- |\n| 9 |\n\nTable from a.csv: 9 rows.",
      chart_ids: ["chart-1"],
    });
  });

  it("shows what there is when no rule fits, and never calls a failure complete", () => {
    const none = suggest({ statements: [] });
    expect(playbook(ask("x", ...none)).calls?.[0]?.name).toBe("describe_data");
    const described = answered("describe_data", ["table sales"]);
    for (const after of [
      [...none, ...described],
      answered("suggest_queries", ["data-mcp is not reachable"], true),
      [...suggested, ...answered("query_db", ["no such table"], true)],
    ])
      expect(playbook(ask("x", ...after)).calls?.[0]).toMatchObject({
        name: "finish",
        arguments: { is_task_complete: false },
      });
  });
});
