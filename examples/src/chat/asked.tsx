import type { InputReply, InputRequest } from "@troupe/react";
import type { FormEvent } from "react";

interface AskedProps {
  readonly request: InputRequest;
  readonly onReply: (reply: InputReply) => void;
}

/** A form to fill in, or calls to approve. */
export function Asked({ request, onReply }: AskedProps) {
  const { requestId } = request;
  if (request.kind === "approval") {
    const decide = (type: "approve" | "reject"): void => {
      const decisions = request.calls.map(({ callId }) =>
        type === "approve" ? { callId, type } : { callId, type, reason: "Not now." },
      );
      onReply({ requestId, decisions });
    };
    return (
      <fieldset>
        {request.calls.map(({ callId, tool, arguments: args }) => (
          <pre key={callId}>
            {tool} {JSON.stringify(args)}
          </pre>
        ))}
        <button onClick={() => decide("approve")}>Approve</button>
        <button onClick={() => decide("reject")}>Reject</button>
      </fieldset>
    );
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const inputs = [...event.currentTarget.querySelectorAll("input")];
    // The agent checks the values, and asks again when one is wrong.
    onReply({ requestId, values: Object.fromEntries(inputs.map(({ name, value }) => [name, value])) });
  };
  return (
    <form onSubmit={submit}>
      <h3>{request.form.title}</h3>
      {request.form.fields.map((field) => (
        <label key={field.field_name}>
          {field.field_label} <input name={field.field_name} placeholder={field.placeholder} />
        </label>
      ))}
      <button>Send</button>
    </form>
  );
}
