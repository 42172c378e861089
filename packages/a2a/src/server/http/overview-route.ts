import type { Log, RunnableAgent } from "@troupe/core";
import type { Express } from "express";

import { callerOf, scopeGate } from "./gate.ts";

const MAX_COLLECTION = 256;

/** GET /overview?collection=NAME: overview of the data that the caller may read, for planners. */
export function mountOverview(app: Express, agent: RunnableAgent, log: Log): void {
  app.get("/overview", scopeGate(agent.profile.name), async (req, res) => {
    const { collection } = req.query;
    if (collection !== undefined && (typeof collection !== "string" || collection.length > MAX_COLLECTION)) {
      res.status(400).json({ error: `collection must be one name of at most ${MAX_COLLECTION} characters.` });
      return;
    }
    const gone = new AbortController();
    res.once("close", () => gone.abort());
    try {
      const caller = callerOf(req);
      const asked = {
        ...(collection === undefined || collection === "" ? {} : { collectionId: collection }),
        ...(caller === undefined ? {} : { userId: caller.id }),
      };
      const overview = await agent.overview?.(asked, { signal: gone.signal });
      res.json(overview === undefined ? {} : { overview });
    } catch (error) {
      log.warn("the overview could not be read", { error });
      res.json({});
    }
  });
}
