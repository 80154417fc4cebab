import type { Kysely, Transaction } from 'kysely';
import type { EnrolmentAnswer } from '#contracts/agent-enrolment.ts';
import { agentCloseCodes } from '#contracts/agent-protocol.ts';
import type { Log } from '#runtime/log.ts';
import type { TaskLane } from '../../agent-tasks/task-lane.ts';
import type { Tables } from '../../database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../http/refusal.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { AgentCommands } from '../agent-commands.ts';
import { pinnedAgent } from '../agent-pins.ts';
import { fingerprintOf } from '../agent-proof.ts';
import { type AgentEvents, refuseAgent } from '../agent-refusals.ts';
import { type AgentSession, newAgentSession } from '../agent-session.ts';
import type { AgentSessions } from '../agent-sessions.ts';
import { giveUpSent } from '../command-rows.ts';
import { ownProof } from '../own-secret.ts';
import { latestExpiry } from './enrolments.ts';
import { lockServer } from './lock-server.ts';

export interface NewAgent {
  readonly serverId: string;
  readonly serverName: string;
  readonly agentKey: string;
  readonly version: string;
  readonly address: string;
  /** The agent's own secret. */
  readonly sealed: string;
}

export interface EnrolmentUse {
  readonly id: string;
  readonly requestDigest: string;
  readonly answer: EnrolmentAnswer;
  readonly at: Date;
}

/**
 * Makes an agent its server's agent and uses up the code, in one transaction; the previous agent is sent away.
 * @returns the response of the first such request, including when the same one comes again
 */
export type InstallAgent = (agent: NewAgent, use: EnrolmentUse) => Promise<EnrolmentAnswer | Refusal>;

export interface InstallAgentOptions {
  readonly db: Kysely<Tables>;
  readonly secrets: Secrets;
  readonly commands: Pick<AgentCommands, 'settleUnknown'>;
  readonly tasks: Pick<TaskLane, 'giveUp'>;
  readonly sessionOf: (serverId: string) => AgentSession;
  readonly sendAway: AgentSessions['sendAway'];
  readonly events: AgentEvents;
  readonly changed: (serverId: string) => void;
  /** One after another with everything that replaces agents. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly now: () => number;
  readonly log: Log;
}

type AgentRow = Parameters<typeof pinnedAgent>[0];
interface Installed {
  readonly answer: EnrolmentAnswer;
  readonly row: AgentRow;
  /** Commands that the previous agent had; their outcome is no longer known. */
  readonly givenUp: readonly string[];
  settleTasks(): void;
  readonly isNew: boolean;
}

export const createInstallAgent = (options: InstallAgentOptions): InstallAgent => {
  const { db, secrets, commands, tasks, sessionOf, sendAway, events, changed, inTurn, now, log } = options;

  /** The same request again: its response was lost, or this process does not know it yet. */
  const usedBefore = async (
    trx: Transaction<Tables>,
    { serverId, agentKey }: NewAgent,
    { id, requestDigest }: EnrolmentUse,
  ): Promise<Installed | Refusal> => {
    const used = await trx
      .selectFrom('agent_enrolments')
      .select(['request_digest', 'answer', 'used_at'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!used?.answer) return refuse('AGENT_ENROLMENT_ENDED');
    if (used.request_digest !== requestDigest) return refuse('AGENT_ENROLMENT_USED');
    const row = await agentRow(trx, serverId);
    // Replaced since, so the secret that the response leads to opens nothing.
    if (row?.agent_key !== agentKey || row.secret === null) return refuse('AGENT_ENROLMENT_ENDED');
    return { answer: used.answer, row, givenUp: [], settleTasks: noTasks, isNew: false };
  };

  const write = async (
    trx: Transaction<Tables>,
    agent: NewAgent,
    use: EnrolmentUse,
  ): Promise<Installed | Refusal> => {
    const { serverId, agentKey, version, address, sealed } = agent;
    const server = await lockServer(trx, serverId);
    if (!server || server.archived_at) return refuse('AGENT_SERVER_UNKNOWN');
    const { numUpdatedRows } = await trx
      .updateTable('agent_enrolments')
      .set({ used_at: use.at, request_digest: use.requestDigest, answer: JSON.stringify(use.answer) })
      .where('id', '=', use.id)
      .where('used_at', 'is', null)
      .where('is_ended', '=', false)
      .where('expires_at', '>', use.at)
      .where('expires_at', '<=', latestExpiry(use.at.getTime()))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return usedBefore(trx, agent, use);
    const before = await agentRow(trx, serverId);
    // The same agent keeps its journal, and with it what it knows about its commands.
    if (before?.agent_key === agentKey) {
      const set = { secret: sealed, version, address };
      await trx.updateTable('game_agents').set(set).where('server_id', '=', serverId).execute();
      return {
        answer: use.answer,
        row: { ...before, ...set },
        givenUp: [],
        settleTasks: noTasks,
        isNew: true,
      };
    }
    await trx.deleteFrom('game_agents').where('server_id', '=', serverId).execute();
    const givenUp = before ? await giveUpSent(trx, serverId) : [];
    const settleTasks = before ? await tasks.giveUp(trx, serverId) : noTasks;
    const row = await trx
      .insertInto('game_agents')
      .values({
        server_id: serverId,
        agent_key: agentKey,
        version,
        address,
        mode: 'websocket',
        // Of no process yet: the first hello names it.
        journal: '',
        secret: sealed,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { answer: use.answer, row, givenUp, settleTasks, isNew: true };
  };

  /** Updates memory to what was committed: the previous agent is sent away, and only the new secret opens the server. */
  const follow = ({ row, givenUp, settleTasks, isNew }: Installed, { serverName }: NewAgent) => {
    const { server_id: serverId, agent_key: key, address } = row;
    const session = sessionOf(serverId);
    if (!isNew && session.proof && session.pin?.key === key) return;
    const isSameAgent = session.pin?.key === key;
    Object.assign(session, {
      ...(isSameAgent ? {} : freshPlace(session, now())),
      ...pinnedAgent(row),
      proof: ownProof(secrets, serverId, row.secret, log),
      replaced: null,
      lastRefusal: null,
    });
    commands.settleUnknown(serverId, [...givenUp]);
    settleTasks();
    const refused = refuseAgent('AGENT_KEY_MISMATCH', 'An agent was enrolled for this server.');
    sendAway(session, agentCloseCodes.refused, 'replaced', refused);
    const fingerprint = fingerprintOf(key);
    if (isNew) events.record('agent.pinned', { name: serverName, fingerprint, address }, { serverId });
    changed(serverId);
  };

  return (agent, use) =>
    inTurn(async () => {
      const outcome = await db.transaction().execute((trx) => write(trx, agent, use));
      if (isRefusal(outcome)) return outcome;
      follow(outcome, agent);
      return outcome.answer;
    });
};

const noTasks = () => undefined;

/** Keeps nothing of the previous agent but its connection, which is still to be ended. */
const freshPlace = (
  { serverId, link, writing, watchUntilMs }: AgentSession,
  nowMs: number,
): AgentSession => ({
  ...newAgentSession(serverId, nowMs),
  link,
  writing,
  watchUntilMs,
});

const agentRow = (trx: Kysely<Tables>, serverId: string): Promise<AgentRow | undefined> =>
  trx.selectFrom('game_agents').selectAll().where('server_id', '=', serverId).executeTakeFirst();
