import { isTroupeError } from "@troupe/core";
import type { ResourceProvider } from "@troupe/service/mcp";

import { specOf } from "./state/presentation.ts";
import type { StoreOf } from "./state/presentation-store.ts";

const ADDRESS = /^troupe-presentation:\/\/([\w-]{1,100})$/;

/**
 * Presentations in the making, for those who know their id. They are in no list: who knows an id may
 * change that presentation. Saved files are listed as files.
 */
export function presentationResources(storeOf: StoreOf): ResourceProvider {
  return {
    templates: [
      {
        uriTemplate: "troupe-presentation://{presentation_id}",
        name: "presentation",
        title: "Presentation",
        description: "The slides of a presentation as they will be saved.",
        mimeType: "application/json",
      },
    ],
    list: () => Promise.resolve([]),
    async read(uri, caller) {
      const id = ADDRESS.exec(uri)?.[1];
      if (id === undefined) return undefined;
      try {
        const spec = specOf(await storeOf(caller).read(id));
        return [{ uri, mimeType: "application/json", text: JSON.stringify(spec) }];
      } catch (error) {
        if (isTroupeError(error) && error.code === "input.not-found") return undefined;
        throw error;
      }
    },
  };
}
