import type { Kysely, Transaction } from 'kysely';
import type { EnrolmentAnswer } from '#contracts/servers/agent-enrolment.ts';
import { agentCloseCodes } from '#contracts/servers/agent-protocol.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { isPerson } from '../../kernel/access/step-up.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Secrets } from '../../kernel/secrets/secrets.ts';
import type { TaskLane } from '../agent-tasks/task-lane.ts';
import { type AgentEvents, refuseAgent } from './admission.ts';
import type { AgentCommands } from './agent-commands.ts';
import { fingerprintOf, ownProof } from './agent-proof.ts';
import { type AgentSession, newAgentSession, pinnedAgent } from './agent-session.ts';
import type { AgentSessions } from './agent-sessions.ts';
import { giveUpSent } from './command-rows.ts';
import { isMakerEntitled, latestExpiry, lockServer } from './enrolment/enrolments.ts';

interface NewAgent {
  readonly serverId: string;
  readonly serverName: string;
  readonly agentKey: string;
  readonly version: string;
  readonly address: string;
  /** The agent's own secret. */
  readonly sealed: string;
}

interface EnrolmentUse {
  readonly id: string;
  readonly requestDigest: string;
  readonly answer: EnrolmentAnswer;
  readonly at: Date;
}

/** How a server gets another agent; one replacement after another. */
export type ReplaceAgent = ReturnType<typeof createReplaceAgent>;

type AgentRow = Parameters<typeof pinnedAgent>[0];
interface Installed {
  readonly answer: EnrolmentAnswer;
  readonly row: AgentRow;
  /** Commands that the previous agent had; their outcome is no longer known. */
  readonly givenUp: readonly string[];
  settleTasks(): void;
  readonly isNew: boolean;
}

export const createReplaceAgent = (options: {
  readonly db: Kysely<Tables>;
  readonly secrets: Secrets;
  readonly commands: Pick<AgentCommands, 'settleUnknown'>;
  readonly tasks: Pick<TaskLane, 'giveUp'>;
  readonly sessions: Pick<AgentSessions, 'of' | 'sendAway'>;
  readonly events: AgentEvents;
  readonly changed: (serverId: string) => void;
  /** How long an agent that was replaced in the panel is kept out, so that the new one comes first. */
  readonly restMs: number;
  readonly now: () => number;
  readonly log: Log;
}) => {
  const { db, secrets, commands, tasks, sessions, events, changed, restMs, now, log } = options;
  let last: Promise<unknown> = Promise.resolve();
  /** No matter how the previous work ends. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  };

  /**
   * Forgets the pinned key, in the database and in the session. The old agent is kept out until `untilMs`: it would
   * otherwise be back, and pinned again, before the new one.
   * @returns the commands and tasks that the old agent had: no one can tell any more how they ended
   */
  const forgetPin = async (
    session: AgentSession,
    pin: NonNullable<AgentSession['pin']>,
    by: AuditContext,
    untilMs: number,
  ): Promise<{ readonly commandIds: readonly string[]; settleTasks(): void }> => {
    const { serverId } = session;
    // First here, so that no one gets in with the old key while the database works.
    session.pin = null;
    session.replaced = { key: pin.key, untilMs };
    try {
      return await db.transaction().execute(async (trx) => {
        await trx.deleteFrom('game_agents').where('server_id', '=', serverId).execute();
        const commandIds = await giveUpSent(trx, secrets, serverId);
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
    const made = await trx
      .selectFrom('agent_enrolments')
      .select(['server_id', 'created_by', 'used_at'])
      .where('id', '=', use.id)
      .executeTakeFirst();
    if (made && made.used_at === null && !(await isMakerEntitled(trx, made)))
      return refuse('AGENT_ENROLMENT_ENDED');
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
    const givenUp = before ? await giveUpSent(trx, secrets, serverId) : [];
    const settleTasks = before ? await tasks.giveUp(trx, serverId) : noTasks;
    const pinned = {
      agent_key: agentKey,
      version,
      address,
      mode: 'websocket',
      // Of no process yet: the first hello names it.
      journal: '',
      secret: sealed,
    } as const;
    const row = await trx
      .insertInto('game_agents')
      .values({ server_id: serverId, ...pinned })
      // A hello by the shared secret may have been pinned in between.
      .onConflict((conflict) => conflict.column('server_id').doUpdateSet(pinned))
      .returningAll()
      .executeTakeFirstOrThrow();
    return { answer: use.answer, row, givenUp, settleTasks, isNew: true };
  };

  /** Updates memory to what was committed: the previous agent is sent away, and only the new secret opens the server. */
  const follow = ({ row, givenUp, settleTasks, isNew }: Installed, { serverName }: NewAgent) => {
    const { server_id: serverId, agent_key: key, address } = row;
    const session = sessions.of(serverId);
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
    sessions.sendAway(session, agentCloseCodes.refused, 'replaced', refused);
    const fingerprint = fingerprintOf(key);
    if (isNew) events.record('agent.pinned', { name: serverName, fingerprint, address }, { serverId });
    changed(serverId);
  };

  return {
    /**
     * Forgets the pinned agent, if there is one, and ends its connection: the next one that proves itself is pinned.
     * @throws {Problem} PERSON_REQUIRED when a program would take the agent's own secret away
     */
    forget: (serverId: string, by: AuditContext): Promise<void> =>
      inTurn(async () => {
        const session = sessions.of(serverId);
        if (!session.pin) return;
        // Without it, the secret that all servers share would open this one again.
        const secret = (await agentRow(db, serverId))?.secret ?? null;
        if (secret !== null && !isPerson(by.actor)) throw new Problem('PERSON_REQUIRED');
        const given = await forgetPin(session, session.pin, by, now() + restMs);
        commands.settleUnknown(serverId, given.commandIds);
        given.settleTasks();
        const { journal, lastEvent, commandJournal, isMemoryDoubted } = newAgentSession(serverId, now());
        Object.assign(session, { journal, lastEvent, commandJournal, isMemoryDoubted, proof: null });
        Object.assign(session, { seenAtMs: null, stale: false, version: '', address: '' });
        const seconds = Math.ceil(restMs / 1000);
        const refused = refuseAgent('AGENT_KEY_MISMATCH', 'This agent was replaced in the panel.', seconds);
        sessions.sendAway(session, agentCloseCodes.refused, 'replaced', refused);
        changed(serverId);
      }),
    /**
     * Makes an agent its server's agent and uses up the code, in one transaction; the previous agent is sent away.
     * @returns the response of the first such request, including when the same one comes again
     */
    install: (agent: NewAgent, use: EnrolmentUse): Promise<EnrolmentAnswer | Refusal> =>
      inTurn(async () => {
        const outcome = await retryDeadlocks(db, (trx) => write(trx, agent, use));
        if (isRefusal(outcome)) return outcome;
        follow(outcome, agent);
        return outcome.answer;
      }),
  };
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
