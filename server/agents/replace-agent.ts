import type { Kysely } from 'kysely';
import { agentCloseCodes } from '#contracts/agent-protocol.ts';
import type { AuditContext } from '../access/audit-context.ts';
import type { TaskLane } from '../agent-tasks/task-lane.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tables } from '../database/tables.ts';
import type { AgentCommands } from './agent-commands.ts';
import { fingerprintOf } from './agent-proof.ts';
import { refuseAgent } from './agent-refusals.ts';
import { type AgentSession, newAgentSession } from './agent-session.ts';
import type { AgentSessions } from './agent-sessions.ts';
import { giveUpSent } from './command-rows.ts';

export interface ReplaceAgentOptions {
  readonly db: Kysely<Tables>;
  readonly commands: Pick<AgentCommands, 'settleUnknown'>;
  readonly tasks: Pick<TaskLane, 'giveUp'>;
  readonly sendAway: AgentSessions['sendAway'];
  readonly changed: (serverId: string) => void;
  readonly now: () => number;
  /** How long the old agent is kept out, so that the new one comes first. */
  readonly restMs: number;
}

/** Forgets the pinned agent, if there is one, and ends its connection. */
export const createReplaceAgent = (options: ReplaceAgentOptions) => {
  const { db, commands, tasks, sendAway, changed, now, restMs } = options;
  return async (session: AgentSession, by: AuditContext): Promise<void> => {
    if (!session.pin) return;
    const { serverId } = session;
    const given = await forgetPin({ db, tasks }, session, by, now() + restMs);
    commands.settleUnknown(serverId, given.commandIds);
    given.settleTasks();
    const { journal, lastEvent, commandJournal, isMemoryDoubted } = newAgentSession(serverId, now());
    Object.assign(session, { journal, lastEvent, commandJournal, isMemoryDoubted, proof: null });
    Object.assign(session, { seenAtMs: null, stale: false, version: '', address: '' });
    const seconds = Math.ceil(restMs / 1000);
    const refused = refuseAgent('AGENT_KEY_MISMATCH', 'This agent was replaced in the panel.', seconds);
    sendAway(session, agentCloseCodes.refused, 'replaced', refused);
    changed(serverId);
  };
};

/**
 * Forgets the pinned key, in the database and in the session. The old agent is kept out until `untilMs`: it would
 * otherwise be back, and pinned again, before the new one.
 * @returns the commands and tasks that the old agent had: no one can tell any more how they ended
 */
const forgetPin = async (
  { db, tasks }: Pick<ReplaceAgentOptions, 'db' | 'tasks'>,
  session: AgentSession,
  by: AuditContext,
  untilMs: number,
): Promise<{ readonly commandIds: readonly string[]; settleTasks(): void }> => {
  const { serverId, pin } = session;
  if (!pin) return { commandIds: [], settleTasks: () => undefined };
  // First here, so that no one gets in with the old key while the database works.
  session.pin = null;
  session.replaced = { key: pin.key, untilMs };
  try {
    return await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('game_agents').where('server_id', '=', serverId).execute();
      const commandIds = await giveUpSent(trx, serverId);
      const settleTasks = await tasks.giveUp(trx, serverId);
      const before = { fingerprint: fingerprintOf(pin.key), pinnedAt: pin.pinnedAt };
      await recordAudit(trx, { ...by, action: 'agents.replace', target: `server:${serverId}`, before });
      return { commandIds, settleTasks };
    });
  } catch (error) {
    session.pin = pin;
    session.replaced = null;
    throw error;
  } finally {
    // A hello at the same time may have found the old row.
    if (session.replaced && session.pin?.key === pin.key) session.pin = null;
  }
};
