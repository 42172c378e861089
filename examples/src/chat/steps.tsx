import type { AgentTurnItem } from "@troupe/react";

/** What led to the answer; the answer itself is the content of the turn. */
export function Steps({ items }: { readonly items: readonly AgentTurnItem[] }) {
  return (
    <ul>
      {items.map((item) => {
        if (item.superseded) return null;
        switch (item.kind) {
          case "message":
            return item.role === "narration" && <li key={item.key}>{item.text}</li>;
          case "tool_call":
            return (
              <li key={item.key}>
                {item.tool}: {item.status} {item.summary}
              </li>
            );
          case "plan":
            return Object.entries(item.steps).map(([id, { state }]) => (
              <li key={`${item.key}/${id}`}>
                {id}: {state}
              </li>
            ));
          case "file":
            return (
              <li key={item.key}>
                <a href={item.artifact.url}>{item.artifact.name}</a>
              </li>
            );
          default:
            // A call tells its result, and a form is asked below.
            return null;
        }
      })}
    </ul>
  );
}
