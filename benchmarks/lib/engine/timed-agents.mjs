// Agents in this process, as a gateway has them: each takes so long, whoever waits for it.
const NO_USAGE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Every agent answers `ms` after it was sent to, and tells the four events of a short answer. */
export function timedAgents(ms) {
  const tasks = new Map();
  return {
    calls: () => tasks.size,
    async send(agent, { messageId }) {
      if (!tasks.has(messageId)) tasks.set(messageId, pause(ms));
      return { taskId: messageId };
    },
    async await(agent, taskId, { onEvent }) {
      await tasks.get(taskId);
      const answer = `The answer of ${agent}.`;
      for (const event of shortAnswer(taskId, agent, answer)) onEvent(event);
      const plain = { data: null, citations: [], artifacts: [], usage: NO_USAGE };
      return { agent, outcome: "completed", answer, ...plain };
    },
    async cancel() {},
  };
}

function shortAnswer(runId, agent, answer) {
  const item = { itemId: "t" };
  const response = {
    is_task_complete: true,
    require_user_input: false,
    content: answer,
    metadata: { user_input: "", input_fields: [] },
    citations: [],
    data: null,
  };
  const bodies = [
    { type: "text-start", ...item, role: "answer" },
    { type: "text-delta", ...item, delta: answer },
    { type: "text-end", ...item },
    { type: "finish", outcome: "completed", response, answerItems: ["t"] },
  ];
  return bodies.map((body, seq) => ({ v: 1, runId, seq, attempt: 1, agent, ...body }));
}

function pause(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
