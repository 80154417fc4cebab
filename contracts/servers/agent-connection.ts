/** How an agent is connected. */
export const agentModes = ['websocket', 'polling'] as const;

/**
 * Why an agent is refused or disconnected.
 * - `AGENT_PROOF_WRONG`: the shared secret or the signature is wrong
 * - `AGENT_NONCE_INVALID`: too old, already used, or not from this API; ask for a new one
 * - `AGENT_SUPERSEDED`: another agent with the same key has taken its place
 */
export const agentRefusals = [
  'AGENT_PROOF_WRONG',
  'AGENT_NONCE_INVALID',
  'AGENT_SERVER_UNKNOWN',
  'AGENT_GAME_MISMATCH',
  'AGENT_KEY_MISMATCH',
  'AGENT_SUPERSEDED',
  'AGENT_TLS_REQUIRED',
  'AGENT_THROTTLED',
  'AGENT_VERSION_UNSUPPORTED',
  'AGENT_FRAME_INVALID',
] as const;
export type AgentRefusal = (typeof agentRefusals)[number];
