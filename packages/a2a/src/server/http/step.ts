import type { IncomingMessage, ServerResponse } from "node:http";

/** A request whose body may have been read and parsed. */
export interface Incoming extends IncomingMessage {
  body?: unknown;
  /** What express took away from `url` for the routes of a path. */
  baseUrl?: string;
}

type Next = (error?: unknown) => void;

/** One of the things that are done to a request in turn. Express takes it as it is, and nothing of express is needed for it. */
export type Step = (req: Incoming, res: ServerResponse, next: Next) => unknown;

/** What is done to a request of which a step told an error. It names all four: express knows it by their number. */
export type ErrorStep = (error: unknown, req: Incoming, res: ServerResponse, next: Next) => unknown;

/**
 * Steps one after another as express runs them: an error, told, thrown or rejected, goes to `errors`, of
 * which each tells the next what it does not answer itself. Express between costs an eighth of a short call,
 * because it changes the prototypes of request and response.
 */
export function inTurn(
  steps: readonly Step[],
  errors: readonly ErrorStep[],
): (req: Incoming, res: ServerResponse) => void {
  return (req, res) => {
    const failed = (at: number, error: unknown): void => {
      const answer = errors[at];
      if (answer === undefined) {
        res.destroy();
        return;
      }
      const onward = (other: unknown = error): void => failed(at + 1, other);
      try {
        const done = answer(error, req, res, onward);
        if (done instanceof Promise) done.catch(onward);
      } catch (other) {
        onward(other);
      }
    };
    const go = (at: number): void => {
      try {
        const done = steps[at]?.(req, res, (error) => {
          if (error === undefined) go(at + 1);
          else failed(0, error);
        });
        if (done instanceof Promise) done.catch((error: unknown) => failed(0, error));
      } catch (error) {
        failed(0, error);
      }
    };
    go(0);
  };
}

/** The path of a request, without what is asked in it and without the prefix of a proxy. */
export function pathOf({ baseUrl = "", url = "" }: Incoming): string {
  return (baseUrl + url).split("?", 1)[0] ?? "";
}

/** What is asked in the address of a request. */
export function queryOf({ url = "" }: IncomingMessage): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}

/**
 * How often a header came. Of several Node keeps the first, and somebody before us may have looked at
 * another; its own list of all headers by name costs more than a look at them.
 */
export function countOf({ rawHeaders }: IncomingMessage, name: Lowercase<string>): number {
  let count = 0;
  // Names and values take turns.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] ?? "";
    if (header.length === name.length && header.toLowerCase() === name) count++;
  }
  return count;
}

/** One header; undefined for one that is not there. */
export function headerOf({ headers }: IncomingMessage, name: Lowercase<string>): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}
