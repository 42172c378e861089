import type { Express } from "express";

/** What keeps an agent from working, in words; empty when nothing does. */
export interface Readiness {
  readonly ok: boolean;
  readonly reasons: readonly string[];
}

/**
 * /livez says that the process answers, and which one it is: whoever finds something on a port can
 * tell the server they know from another that took the port since. /readyz says that it can do its
 * work, with the reasons if not.
 */
export function mountHealth(app: Express, instance: string, ready: () => Promise<Readiness>): void {
  app.get("/livez", (_req, res) => {
    res.json({ ok: true, instance });
  });
  app.get("/readyz", async (_req, res) => {
    const state = await ready().catch(() => ({ ok: false, reasons: ["the readiness check failed"] }));
    res.status(state.ok ? 200 : 503).json(state);
  });
}
