import { type Kysely, type Selectable, sql } from 'kysely';
import type { AgentRefusal, agentModes } from '#contracts/servers/agent-connection.ts';
import type { ApiFrame, HeartbeatFrame, HelloFrame } from '#contracts/servers/agent-protocol.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { Secrets } from '../../kernel/secrets/secrets.ts';
import { type AgentProof, ownProof } from './agent-proof.ts';

export type AgentMode = (typeof agentModes)[number];

/** An expected "no" to an agent. */
export interface AgentRefused {
  readonly code: AgentRefusal;
  /** For people; repeats nothing that was sent. */
  readonly detail: string;
  readonly retryAfterSeconds: number | null;
}

/** Who is at the other end, as found when it was admitted. */
export interface LinkFacts {
  readonly mode: AgentMode;
  readonly address: string;
  readonly isEncrypted: boolean;
  readonly version: string;
  readonly journal: string;
  /** Seconds. */
  readonly clockSkew: number;
}

/** The link to an agent that was admitted: a WebSocket, or successive polls. */
export interface AgentLink {
  readonly facts: LinkFacts;
  /** ISO 8601, ready to be shown: thousands are shown each second. */
  readonly connectedAt: string;
  /** False while nothing can be handed over: no poll waits. */
  readonly isReady: boolean;
  readonly isOpen: boolean;
  send(frame: ApiFrame): void;
  /** Ends it; `refused` says why, when the agent is not to come back like this. */
  end(code: number, reason: string, refused?: AgentRefused): void;
}

interface AgentPin {
  readonly key: string;
  /** ISO 8601. */
  readonly pinnedAt: string;
}

/** The place of a server's one agent, taken or not. Times ending in `Ms` are on a monotonic clock. */
export interface AgentSession {
  readonly serverId: string;
  pin: AgentPin | null;
  /** By the agent's own secret; null: it proves itself by the shared one. */
  proof: AgentProof | null;
  link: AgentLink | null;
  /** When something was last heard. */
  heardMs: number;
  /** By the wall clock, for people: Unix time in milliseconds. */
  seenAtMs: number | null;
  stale: boolean;
  /** Whether its silence is still news. */
  isStaleNews: boolean;
  /** The API sent it away itself: its absence and its return are not news. */
  isQuiet: boolean;
  mode: AgentMode;
  version: string;
  address: string;
  /** What it says about the game. */
  state: HeartbeatFrame['state'] | null;
  detail: string | null;
  journal: string;
  /** The number of this journal's last event that is written. */
  lastEvent: number;
  /** Its memory of commands, by the name that the agent last gave it; null: it never did. */
  commandJournal: string | null;
  /** Another process of the agent connected and has not said yet whether it remembers; until then it gets no commands. */
  isMemoryDoubted: boolean;
  /** When and how it was seen is not written yet. */
  isDirty: boolean;
  watchUntilMs: number;
  /** The key that was replaced last, and until when it is kept out. */
  replaced: { readonly key: string; readonly untilMs: number } | null;
  lastRefusal: (AgentRefused & { readonly at: Date; readonly address: string }) | null;
  /** Events are written one batch after another. */
  writing: Promise<void>;
}

const settled = Promise.resolve();

export const newAgentSession = (serverId: string, nowMs: number): AgentSession => ({
  serverId,
  pin: null,
  proof: null,
  link: null,
  heardMs: nowMs,
  seenAtMs: null,
  stale: false,
  isStaleNews: true,
  isQuiet: false,
  mode: 'websocket',
  version: '',
  address: '',
  state: null,
  detail: null,
  journal: '',
  lastEvent: 0,
  commandJournal: null,
  isMemoryDoubted: false,
  isDirty: false,
  watchUntilMs: 0,
  replaced: null,
  lastRefusal: null,
  writing: settled,
});

interface PinnedAgent
  extends Readonly<Pick<AgentSession, 'journal' | 'lastEvent' | 'commandJournal' | 'isMemoryDoubted'>> {
  readonly pin: AgentPin;
}

/** What is stored about agents. */
export type AgentPins = ReturnType<typeof createAgentPins>;

/** An agent that was silent for longer than this when the API started is not news: it was reported before. */
const staleNewsMs = 86_400_000;
/** Rows per statement: a few milliseconds. */
const seenAtOnce = 500;

export const createAgentPins = (db: Kysely<Tables>, secrets: Secrets, log: Log) => ({
  async load(nowMs: number): Promise<Map<string, AgentSession>> {
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

  /** Of any number of first agents exactly one is pinned. @returns the pinned one, this or another */
  async pin(
    { serverId, agentKey }: HelloFrame,
    { version, address, mode, journal }: LinkFacts,
  ): Promise<PinnedAgent | null> {
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

  /** Another process of the agent: its events continue after `lastEvent`, and its memory of commands is in doubt. */
  async beginJournal(serverId: string, journal: string, lastEvent: number): Promise<void> {
    await db
      .updateTable('game_agents')
      .set({ journal, last_event: lastEvent, commands_doubted: true })
      .where('server_id', '=', serverId)
      .execute();
  },

  /** Its memory is known again. @param commandJournal null: the agent does not name its memory */
  async rememberMemory(serverId: string, commandJournal: string | null): Promise<void> {
    await db
      .updateTable('game_agents')
      .set({ command_journal: commandJournal, commands_doubted: false })
      .where('server_id', '=', serverId)
      .execute();
  },

  async rememberEvents(serverId: string, journal: string, last: number): Promise<void> {
    await db
      .updateTable('game_agents')
      .set({ last_event: last })
      .where('server_id', '=', serverId)
      .where('journal', '=', journal)
      .execute();
  },

  /** Writes when agents were last seen. What the database does not take is written the next time. */
  async rememberSeen(sessions: Iterable<AgentSession>): Promise<void> {
    const dirty = [...sessions].filter(({ isDirty, pin, seenAtMs }) => isDirty && pin && seenAtMs !== null);
    for (let begin = 0; begin < dirty.length; begin += seenAtOnce) {
      const batch = dirty.slice(begin, begin + seenAtOnce);
      for (const session of batch) session.isDirty = false;
      try {
        await writeSeen(db, batch);
      } catch (error) {
        for (const session of batch) session.isDirty = true;
        log.warn({ err: error }, 'could not store when Game Agents were last seen yet');
        return;
      }
    }
  },
});

const writeSeen = async (db: Kysely<Tables>, sessions: readonly AgentSession[]): Promise<void> => {
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
};

export const pinnedAgent = (row: Selectable<Tables['game_agents']>): PinnedAgent => ({
  pin: { key: row.agent_key, pinnedAt: row.pinned_at.toISOString() },
  journal: row.journal,
  lastEvent: Number(row.last_event),
  commandJournal: row.command_journal,
  isMemoryDoubted: row.commands_doubted,
});
