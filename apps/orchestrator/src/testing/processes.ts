import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

export interface ProcessInfo {
  readonly pid: number;
  readonly command: string;
}

/** What a process started and what that started, however deep, that still runs. */
export function descendants(pid: number): readonly ProcessInfo[] {
  const all = processTable();
  const found: ProcessInfo[] = [];
  const parents = new Set([pid]);
  // The table is in no order: look again until nothing new turns up.
  for (let grown = true; grown;) {
    grown = false;
    for (const row of all) {
      if (!parents.has(row.parent) || parents.has(row.pid)) continue;
      parents.add(row.pid);
      found.push({ pid: row.pid, command: row.command });
      grown = true;
    }
  }
  return found;
}

/** True while that very process runs; one that ended and waits to be reaped does not count. */
export function isAlive(pid: number, command: string): boolean {
  return processTable().some((row) => row.pid === pid && row.command === command);
}

interface Row extends ProcessInfo {
  readonly parent: number;
}

function processTable(): readonly Row[] {
  return existsSync("/proc/self/stat") ? fromProc() : fromPs();
}

function fromProc(): readonly Row[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      // The name in parentheses may hold anything, spaces and parentheses too.
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === "Z" || state === "X") return [];
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      return [{ pid: Number(name), parent: Number(parent), command }];
    } catch {
      // It ended while we looked.
      return [];
    }
  });
}

function fromPs(): readonly Row[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat=,command="], { encoding: "utf8" }).split(
    "\n",
  );
  return lines.flatMap((line) => {
    const [, pid, parent, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state?.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), command: command ?? "" }];
  });
}
