/**
 * Deferred tools that a session switched on, each time with what it was then: it is on as long as the tool is still that. One that was
 * switched on in turns that were taken back doesn't count while `rewound_by` names the undo.
 */
export const TOOL_ACTIVATIONS = `
CREATE TABLE tool_activations (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  name TEXT NOT NULL,
  identity TEXT NOT NULL,
  rewound_by TEXT
) STRICT;
CREATE INDEX tool_activations_by_session ON tool_activations (session_id, sequence);
`;
