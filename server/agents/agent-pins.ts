import { type Kysely, type Selectable, sql } from 'kysely';
import type { HelloFrame } from '#contracts/agent-protocol.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../database/tables.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { LinkFacts } from './agent-link.ts';
import { type AgentPin, type AgentSession, newAgentSession } from './agent-session.ts';
import type { GameAgentsTable } from './agents.tables.ts';
import { ownProof } from './own-secret.ts';

export interface PinnedAgent
  extends Readonly<Pick<AgentSession, 'journal' | 'lastEvent' | 'commandJournal' | 'isMemoryDoubted'>> {
  readonly pin: AgentPin;
}

/** What is stored about agents. */
export interface AgentPins {
  load(nowMs: number): Promise<Map<string, AgentSession>>;
  /** Of any number of first agents exactly one is pinned. @returns the pinned one, this or another */
  pin(hello: HelloFrame, facts: LinkFacts): Promise<PinnedAgent | null>;
  /** Another process of the agent: its events continue after `lastEvent`, and its memory of commands is in doubt. */
  beginJournal(serverId: string, journal: string, lastEvent: number): Promise<void>;
  /** The doubt is over. @param commandJournal null: the agent does not name its memory */
  rememberMemory(serverId: string, commandJournal: string | null): Promise<void>;
  rememberEvents(serverId: string, journal: string, last: number): Promise<void>;
  /** In one statement, however many there are. */
  rememberSeen(sessions: readonly AgentSession[]): Promise<void>;
}

/** An agent that was silent for longer than this when the API started is not news: it was reported before. */
const staleNewsMs = 86_400_000;

export const createAgentPins = (db: Kysely<Tables>, secrets: Secrets, log: Log): AgentPins => ({
  async load(nowMs) {
    const rows = await db.selectFrom('game_agents').selectAll().execute();
    const sessions = rows.map(
      (row): AgentSession => ({
        ...newAgentSession(row.server_id, nowMs),
        ...pinnedAgent(row),
        proof: ownProof(secrets, row.server_id, row.secret, log),
        seenAtMs: row.last_seen_at.getTime(),
        isStaleNews: Date.now() - row.last_seen_at.getTime() < staleNewsMs,
        mode: row.mode,
        version: row.version,
        address: row.address,
      }),
    );
    return new Map(sessions.map((session) => [session.serverId, session]));
  },

  async pin({ serverId, agentKey }, { version, address, mode, journal }) {
    const inserted = await db
      .insertInto('game_agents')
      .values({ server_id: serverId, agent_key: agentKey, version, address, mode, journal })
      .onConflict((conflict) => conflict.column('server_id').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (inserted) return pinnedAgent(inserted);
    const row = await db
      .selectFrom('game_agents')
      .selectAll()
      .where('server_id', '=', serverId)
      .executeTakeFirst();
    return row ? pinnedAgent(row) : null;
  },

  async beginJournal(serverId, journal, lastEvent) {
    await db
      .updateTable('game_agents')
      .set({ journal, last_event: lastEvent, commands_doubted: true })
      .where('server_id', '=', serverId)
      .execute();
  },

  async rememberMemory(serverId, commandJournal) {
    await db
      .updateTable('game_agents')
      .set({ command_journal: commandJournal, commands_doubted: false })
      .where('server_id', '=', serverId)
      .execute();
  },

  async rememberEvents(serverId, journal, last) {
    await db
      .updateTable('game_agents')
      .set({ last_event: last })
      .where('server_id', '=', serverId)
      .where('journal', '=', journal)
      .execute();
  },

  async rememberSeen(sessions) {
    await sql`
      update game_agents as agent
      set last_seen_at = seen.at, mode = seen.mode, version = seen.version, address = seen.address
      from unnest(
        ${sessions.map(({ serverId }) => serverId)}::text[], ${sessions.map(({ seenAtMs }) => seenAtMs && new Date(seenAtMs))}::timestamptz[],
        ${sessions.map(({ mode }) => mode)}::text[], ${sessions.map(({ version }) => version)}::text[],
        ${sessions.map(({ address }) => address)}::text[]
      ) as seen (server_id, at, mode, version, address)
      where agent.server_id = seen.server_id
    `.execute(db);
  },
});

export const pinnedAgent = (row: Selectable<GameAgentsTable>): PinnedAgent => ({
  pin: { key: row.agent_key, pinnedAt: row.pinned_at.toISOString() },
  journal: row.journal,
  lastEvent: Number(row.last_event),
  commandJournal: row.command_journal,
  isMemoryDoubted: row.commands_doubted,
});
