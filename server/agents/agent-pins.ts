import { type Kysely, sql } from 'kysely';
import type { HelloFrame } from '#contracts/agent-protocol.ts';
import type { Tables } from '../database/tables.ts';
import type { LinkFacts } from './agent-link.ts';
import { type AgentPin, emptySeat, type Seat } from './seats.ts';

export interface PinnedAgent {
  readonly pin: AgentPin;
  readonly journal: string;
  readonly lastEvent: number;
}

/** What is written down of agents. */
export interface AgentPins {
  load(nowMs: number): Promise<Map<string, Seat>>;
  /** Of any number of first agents exactly one is pinned. @returns the one that is, this or another */
  pin(hello: HelloFrame, facts: LinkFacts): Promise<PinnedAgent | null>;
  /** Events are counted anew. */
  beginJournal(serverId: string, journal: string): Promise<void>;
  rememberEvents(serverId: string, journal: string, last: number): Promise<void>;
  /** In one statement, however many. */
  rememberSeen(seats: readonly Seat[]): Promise<void>;
}

/** An agent that was silent for longer when the API started is no news: that was told before. */
const staleNewsMs = 86_400_000;

export const createAgentPins = (db: Kysely<Tables>): AgentPins => ({
  async load(nowMs) {
    const rows = await db.selectFrom('game_agents').selectAll().execute();
    const seats = rows.map(
      (row): Seat => ({
        ...emptySeat(row.server_id, nowMs),
        pin: { key: row.agent_key, pinnedAt: row.pinned_at.toISOString() },
        seenAt: row.last_seen_at,
        isStaleNews: Date.now() - row.last_seen_at.getTime() < staleNewsMs,
        mode: row.mode,
        version: row.version,
        address: row.address,
        journal: row.journal,
        lastEvent: Number(row.last_event),
      }),
    );
    return new Map(seats.map((seat) => [seat.serverId, seat]));
  },

  async pin({ serverId, agentKey }, { version, address, mode, journal }) {
    const inserted = await db
      .insertInto('game_agents')
      .values({ server_id: serverId, agent_key: agentKey, version, address, mode, journal })
      .onConflict((conflict) => conflict.column('server_id').doNothing())
      .returning('pinned_at')
      .executeTakeFirst();
    if (inserted)
      return { pin: { key: agentKey, pinnedAt: inserted.pinned_at.toISOString() }, journal, lastEvent: 0 };
    const row = await db
      .selectFrom('game_agents')
      .select(['agent_key', 'pinned_at', 'journal', 'last_event'])
      .where('server_id', '=', serverId)
      .executeTakeFirst();
    return row
      ? {
          pin: { key: row.agent_key, pinnedAt: row.pinned_at.toISOString() },
          journal: row.journal,
          lastEvent: Number(row.last_event),
        }
      : null;
  },

  async beginJournal(serverId, journal) {
    await db
      .updateTable('game_agents')
      .set({ journal, last_event: 0 })
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

  async rememberSeen(seats) {
    await sql`
      update game_agents as agent
      set last_seen_at = seen.at, mode = seen.mode, version = seen.version, address = seen.address
      from unnest(
        ${seats.map(({ serverId }) => serverId)}::text[], ${seats.map(({ seenAt }) => seenAt)}::timestamptz[],
        ${seats.map(({ mode }) => mode)}::text[], ${seats.map(({ version }) => version)}::text[],
        ${seats.map(({ address }) => address)}::text[]
      ) as seen (server_id, at, mode, version, address)
      where agent.server_id = seen.server_id
    `.execute(db);
  },
});
