import { isDeniedFunction, TABLE_FUNCTIONS } from "./function-lists.ts";

/** Why a statement does not run. `name` is the table or function it was about. */
export interface Denial {
  readonly reason: "statement" | "table" | "table-function" | "function" | "syntax";
  readonly name: string;
  readonly message: string;
}

/** What a statement reads and whether it ends in LIMIT, or why it does not run. */
export type Verdict =
  | { readonly ok: true; readonly tables: readonly string[]; readonly limited: boolean }
  | { readonly ok: false; readonly denial: Denial };

const TABLE_NODES: ReadonlySet<string> = new Set([
  "BASE_TABLE",
  "EMPTY",
  "EXPRESSION_LIST",
  "JOIN",
  "PIVOT",
  "SHOW_REF",
  "SUBQUERY",
  "TABLE_FUNCTION",
]);
const QUERY_NODES: ReadonlySet<string> = new Set(["RECURSIVE_CTE_NODE", "SELECT_NODE", "SET_OPERATION_NODE"]);

interface Visit {
  readonly value: unknown;
  /** Names of the WITH queries that can be seen from here, in lower case. */
  readonly scope: ReadonlySet<string>;
}

/**
 * Decides on the tree that `json_serialize_sql` made of the text. Tables, table functions and kinds
 * of node are allow lists, so what a newer engine adds is refused until someone looked at it.
 * A stack of its own, not recursion: the statement chooses the depth.
 */
export function checkTree(tree: unknown, tables: readonly string[]): Verdict {
  if (!isRecord(tree)) return refuse(statementDenial("The statement could not be read."));
  if (tree["error"] === true) {
    const syntax = tree["error_type"] === "parser";
    return refuse(
      syntax
        ? { reason: "syntax", name: "", message: String(tree["error_message"]) }
        : statementDenial("Only one SELECT statement can be run; a PIVOT names its values with IN (...)."),
    );
  }
  const statements = tree["statements"];
  if (!Array.isArray(statements) || statements.length !== 1) {
    return refuse(statementDenial("Write exactly one SELECT statement."));
  }
  const allowed = new Map(tables.map((table) => [lower(table), table]));
  const used = new Set<string>();
  const stack: Visit[] = [{ value: statements[0], scope: new Set() }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { value, scope } = visit;
    if (Array.isArray(value)) {
      for (const item of value) stack.push({ value: item, scope });
    } else if (isRecord(value)) {
      const denial = checkNode(value, scope, allowed, used);
      if (denial !== undefined) return refuse(denial);
      pushChildren(value, scope, stack);
    }
  }
  return { ok: true, tables: [...used].sort(), limited: isLimited(statements[0]) };
}

function isLimited(statement: unknown): boolean {
  const node = isRecord(statement) ? statement["node"] : undefined;
  const modifiers = isRecord(node) ? node["modifiers"] : undefined;
  if (!Array.isArray(modifiers)) return false;
  return modifiers.some((modifier) => isRecord(modifier) && String(modifier["type"]).startsWith("LIMIT"));
}

function checkNode(
  node: Record<string, unknown>,
  scope: ReadonlySet<string>,
  allowed: ReadonlyMap<string, string>,
  used: Set<string>,
): Denial | undefined {
  const type = String(node["type"]);
  if ("cte_map" in node && !QUERY_NODES.has(type)) return statementDenial(`${type} cannot be used here.`);
  if ("alias" in node && "sample" in node) {
    if (!TABLE_NODES.has(type)) return statementDenial(`${type} cannot be used in FROM.`);
    if (type === "SHOW_REF" && !isRecord(node["query"])) {
      return statementDenial("SHOW and DATABASES cannot be used; the schema lists every table.");
    }
    if (type === "BASE_TABLE") return checkTable(node, scope, allowed, used);
    if (type === "TABLE_FUNCTION") return checkTableFunction(node);
  }
  if ("function_name" in node) {
    const name = lower(String(node["function_name"]));
    if (isDeniedFunction(name)) {
      return { reason: "function", name, message: `The function "${name}" cannot be used.` };
    }
  }
  return undefined;
}

function checkTable(
  node: Record<string, unknown>,
  scope: ReadonlySet<string>,
  allowed: ReadonlyMap<string, string>,
  used: Set<string>,
): Denial | undefined {
  const schema = lower(String(node["schema_name"]));
  const catalog = lower(String(node["catalog_name"]));
  const name = lower(String(node["table_name"]));
  if (catalog === "" && schema === "" && scope.has(name)) return undefined;
  const table = allowed.get(name);
  if (table !== undefined && catalog === "" && (schema === "" || schema === "main")) {
    used.add(table);
    return undefined;
  }
  const written = [catalog, schema, name].filter((part) => part !== "").join(".");
  return { reason: "table", name: written, message: `There is no table "${written}".` };
}

function checkTableFunction(node: Record<string, unknown>): Denial | undefined {
  const call = node["function"];
  const name = isRecord(call) ? lower(String(call["function_name"])) : "";
  if (TABLE_FUNCTIONS.has(name)) return undefined;
  return {
    reason: "table-function",
    name,
    message: `The table function "${name}" cannot be used; read from the tables of the schema.`,
  };
}

/**
 * A WITH query sees those before it, and itself only in the recursive part. Seeing more than the
 * engine does would let a catalog view through under the name of a query further on.
 */
function pushChildren(node: Record<string, unknown>, scope: ReadonlySet<string>, stack: Visit[]): void {
  let inner = scope;
  const map = isRecord(node["cte_map"]) ? node["cte_map"]["map"] : undefined;
  if (Array.isArray(map)) {
    for (const entry of map) {
      if (!isRecord(entry)) continue;
      stack.push({ value: entry["value"], scope: inner });
      inner = new Set([...inner, lower(String(entry["key"]))]);
    }
  }
  for (const [key, value] of Object.entries(node)) {
    if (key === "cte_map") continue;
    const recursive = key === "right" && node["type"] === "RECURSIVE_CTE_NODE";
    stack.push({ value, scope: recursive ? new Set([...inner, lower(String(node["cte_name"]))]) : inner });
  }
}

function refuse(denial: Denial): Verdict {
  return { ok: false, denial };
}

function statementDenial(message: string): Denial {
  return { reason: "statement", name: "", message };
}

/** ASCII only, as the engine compares names. */
function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
