import { type EventRow, eventsHttp } from '#contracts/events.ts';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import type { ApiProxy } from './api-proxy.ts';
import type { Notice } from './notices.ts';

/** What happened to a game, or to more of them than people are told one by one. */
export type GameNotice = Extract<Notice, { kind: 'game-crashed' | 'game-stays-down' | 'games-crashed' }>;

/** What was seen of crashes, and told, until now. */
export interface SeenCrashes {
  /** Ids of events; null: none were ever read. */
  readonly seen: ReadonlySet<string> | null;
  /** When a crash of a server was told last, by its id: Unix time in milliseconds. */
  readonly toldAtMs: ReadonlyMap<string, number>;
}

export const nothingSeen: SeenCrashes = { seen: null, toldAtMs: new Map() };

/** What an agent tells late, since it was away, is no news. */
const recentMs = 600_000;
/** In which a server's crashes are told once, and no more servers one by one than these. */
const lullMs = 60_000;
const mostServers = 3;

const kinds = ['server.crashed', 'server.crash-looping'] as const;

/**
 * Which crashes are to be told.
 * @param rows the newest events of their kinds
 * @param startedAtMs of this program: what happened before was there to be seen
 */
export const decideCrashNotices = (
  rows: readonly Pick<EventRow, 'id' | 'at' | 'kind' | 'serverId' | 'payload'>[],
  { seen, toldAtMs }: SeenCrashes,
  { startedAtMs, nowMs }: { readonly startedAtMs: number; readonly nowMs: number },
): { readonly notices: readonly GameNotice[]; readonly now: SeenCrashes } => {
  const sinceMs = seen === null ? startedAtMs : nowMs - recentMs;
  const news = rows
    .filter(({ id, at }) => !seen?.has(id) && Date.parse(at) >= sinceMs)
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const told = new Map([...toldAtMs].filter(([, atMs]) => nowMs - atMs < lullMs));
  const notices = new Map<string, GameNotice>();
  let untold = 0;
  for (const { kind, serverId, payload } of news) {
    const { name, crashes } = payload;
    if (serverId === null || typeof name !== 'string') continue;
    const staysDown = kind === 'server.crash-looping';
    if (told.has(serverId) && !staysDown) continue;
    if (!told.has(serverId) && told.size >= mostServers) {
      untold += 1;
      continue;
    }
    told.set(serverId, nowMs);
    notices.set(
      serverId,
      staysDown
        ? { kind: 'game-stays-down', serverId, name, crashes: Number(crashes) || 0 }
        : { kind: 'game-crashed', serverId, name },
    );
  }
  return {
    notices: untold > 0 ? [...notices.values(), { kind: 'games-crashed' }] : [...notices.values()],
    now: { seen: new Set(rows.map(({ id }) => id)), toldAtMs: told },
  };
};

export interface GameCrashesOptions {
  readonly api: Pick<ApiProxy, 'refusal' | 'fetch'>;
  readonly tell: (notice: GameNotice) => void;
  readonly log: Log;
  readonly everyMs?: number;
}

const deadlineMs = 10_000;
/** Only the newest, so that a log of months is not searched for what rarely happens. */
const pathSince = (sinceMs: number): string => {
  const query = new URLSearchParams({ from: new Date(sinceMs).toISOString(), limit: '100' });
  for (const kind of kinds) query.append('kind', kind);
  return `${eventsHttp.list.path}?${query}`;
};

/** Looks after crashes of games in the event log, for as long as the API can be asked. */
export const watchGameCrashes = ({ api, tell, log, everyMs = 5000 }: GameCrashesOptions): Disposable => {
  const startedAtMs = Date.now();
  let known = nothingSeen;
  let isLooking = false;
  let isDisposed = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      if ((await api.refusal(false)) !== null) return;
      const sinceMs = known.seen === null ? startedAtMs : Date.now() - recentMs;
      const response = await api.fetch(pathSince(sinceMs), { signal: AbortSignal.timeout(deadlineMs) });
      // Without a license, or while it starts, the API tells nothing.
      if (!response.ok) return void (await response.body?.cancel());
      const { rows } = eventsHttp.list.response.parse(await response.json());
      const { notices, now } = decideCrashNotices(rows, known, { startedAtMs, nowMs: Date.now() });
      known = now;
      if (!isDisposed) for (const notice of notices) tell(notice);
    } finally {
      isLooking = false;
    }
  };
  const looking = runPeriodically({
    intervalMs: everyMs,
    work: look,
    failure: 'crashes of games could not be looked after; tried again',
    log,
  });
  return {
    [Symbol.dispose]() {
      isDisposed = true;
      looking[Symbol.dispose]();
    },
  };
};
