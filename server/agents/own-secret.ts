import { newSecretText } from '#runtime/auth/secret-token.ts';
import type { Log } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { sealedColumn } from '../secrets/sealed-column.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { type AgentProof, createAgentProof } from './agent-proof.ts';

export const agentSecretColumn = sealedColumn({
  table: 'game_agents',
  key: ['server_id'],
  column: 'secret',
  describe: ([id]) => `The own secret of the Game Agent of the server ${id}`,
});

/**
 * By the agent's own secret; null if it has none. If the secret cannot be read, no agent is let in: the shared secret
 * must not open the server in the meantime.
 */
export const ownProof = (
  secrets: Secrets,
  serverId: string,
  sealed: string | null,
  log: Log,
): AgentProof | null => {
  if (sealed === null) return null;
  const opened = secrets.open(agentSecretColumn, [serverId], sealed);
  if (opened.outcome !== 'open')
    log.warn(
      { serverId, outcome: opened.outcome },
      "could not read a Game Agent's own secret; rejecting it until it is enrolled again",
    );
  return createAgentProof(opened.outcome === 'open' ? opened.secret : new Secret(newSecretText()));
};
