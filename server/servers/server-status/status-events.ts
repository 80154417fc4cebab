import { type Kysely, sql } from 'kysely';
import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import type { GameServerStatus, ShownState } from '#contracts/servers/game-servers.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { EventRecorder } from '../../kernel/events/event-recorder.ts';

const toldByProcess: ReadonlySet<ShownState> = new Set([
  'starting',
  'stopping',
  'stopped',
  'program-fault',
  'backing-off',
  'crash-looping',
]);

type Told = 'server.online' | 'server.unreachable';

/** Records in the event log when servers go online or offline. */
export const createStatusEvents = (options: {
  readonly db: Kysely<Tables>;
  readonly servers: { all(): readonly { readonly id: string; readonly name: string }[] };
  /** As of the last sweep; undefined before the first one. */
  readonly statusOf: (serverId: string) => GameServerStatus | undefined;
  readonly events: Pick<EventRecorder, 'record'>;
  /** Milliseconds on a monotonic clock. */
  readonly now?: () => number;
  /** How long a server is away before it is reported: a restart of the game's console is shorter. */
  readonly awayMs?: number;
}) => {
  const { db, servers, statusOf, events, now = () => performance.now(), awayMs = 15_000 } = options;
  const told = new Map<string, Told>();
  /** Since when a server has been away. */
  const away = new Map<string, number>();
  /** Servers whose players were reported as unknown. */
  const unreadable = new Set<string>();

  const tell = (server: { readonly id: string; readonly name: string }, status: GameServerStatus) => {
    const { id: serverId, name } = server;
    const { via, outcome, detail } = status;
    if (via === null) return;
    if (status.state === 'online') events.record('server.online', { name, via }, { serverId });
    else {
      const words = detail ?? consoleReasons['status-not-running'];
      events.record('server.unreachable', { name, via, outcome, detail: words }, { serverId });
    }
    told.set(serverId, status.state === 'online' ? 'server.online' : 'server.unreachable');
  };

  /** Reports once, until the list can be read again. */
  const tellPlayers = (
    { id: serverId, name }: { readonly id: string; readonly name: string },
    status: GameServerStatus,
  ) => {
    const { via, detail } = status;
    if (detail === null) unreadable.delete(serverId);
    else if (via !== null && !unreadable.has(serverId)) {
      events.record('server.players-unreadable', { name, via, detail }, { serverId });
      unreadable.add(serverId);
    }
  };

  return {
    /** Reads what was last reported before this process. May be called again. */
    async prepare(): Promise<void> {
      const lastTold = await readLastTold(db, servers.all());
      // Reports made in between may still wait to be written, and are newer.
      for (const [serverId, kind] of lastTold) if (!told.has(serverId)) told.set(serverId, kind);
    },
    /** Checks every server. */
    look(): void {
      const nowMs = now();
      for (const server of servers.all()) {
        const status = statusOf(server.id);
        if (!status) continue;
        // The process has its own events: a stop needs no warning.
        const isAway = status.state === 'offline' && !toldByProcess.has(status.shown);
        if (!isAway) away.delete(server.id);
        if (status.state === 'online') tellPlayers(server, status);
        if (status.state === 'online' && told.get(server.id) !== 'server.online') tell(server, status);
        if (!isAway || told.get(server.id) === 'server.unreachable') continue;
        const since = away.get(server.id);
        if (since === undefined) away.set(server.id, nowMs);
        else if (nowMs - since >= awayMs) tell(server, status);
      }
    },
  };
};

/** Per server through its index, however large the log is. */
const readLastTold = async (
  db: Kysely<Tables>,
  servers: readonly { readonly id: string }[],
): Promise<[string, Told][]> => {
  const { rows } = await sql<{ server_id: string; kind: Told }>`
    select wanted.server_id, told.kind
    from unnest(${servers.map(({ id }) => id)}::text[]) as wanted (server_id)
    cross join lateral (
      (select kind, at, id from event_logs where server_id = wanted.server_id
         and kind = 'server.online' and severity = 'info' order by at desc, id desc limit 1)
      union all
      (select kind, at, id from event_logs where server_id = wanted.server_id
         and kind = 'server.unreachable' and severity = 'warning' order by at desc, id desc limit 1)
      order by at desc, id desc limit 1
    ) as told`.execute(db);
  return rows.map(({ server_id, kind }) => [server_id, kind]);
};
