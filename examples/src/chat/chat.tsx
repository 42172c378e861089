import { useAgentChat, type ChatTurn } from "@troupe/react";
import { useRef, type FormEvent } from "react";

import { Asked } from "./asked.tsx";
import { Steps } from "./steps.tsx";

/** A whole chat with the agent at `url`. */
export function Chat({ url, threadId }: { readonly url: string; readonly threadId?: string }) {
  const chat = useAgentChat({ url, ...(threadId === undefined ? {} : { threadId }) });
  const input = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (input.current === null || input.current.value === "") return;
    chat.send(input.current.value);
    input.current.value = "";
  };
  return (
    <main aria-busy={chat.status === "running"}>
      {chat.turns.map((turn) => (
        <Turn key={turn.id} turn={turn} />
      ))}
      {chat.requests.map((request) => (
        <Asked key={request.requestId} request={request} onReply={chat.reply} />
      ))}
      {chat.error !== undefined && (
        <p role="alert">
          {chat.error.message} <button onClick={chat.resend}>Try again</button>
        </p>
      )}
      <form onSubmit={submit}>
        <input ref={input} aria-label="Message" />
        {chat.status === "running" && (
          <button type="button" onClick={chat.stop}>
            Stop
          </button>
        )}
      </form>
    </main>
  );
}

function Turn({ turn }: { readonly turn: ChatTurn }) {
  return (
    <section>
      {turn.text !== undefined && <h2>{turn.text}</h2>}
      <Steps items={turn.state.items} />
      <p style={{ whiteSpace: "pre-wrap" }}>{turn.state.content}</p>
    </section>
  );
}
