import { eventsHttp } from '#contracts/kernel/events.ts';
import type { EventRow } from '#contracts/operations/event-row.ts';
import { isAhead } from '#runtime/is-ahead.ts';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import type { ApiProxy } from './api-proxy.ts';
import type { Notice } from './notices.ts';

/** A notice about one game, or about more games than are reported individually. */
export type GameNotice = Extract<Notice, { kind: 'game-crashed' | 'game-stays-down' | 'games-crashed' }>;

/** The crashes that were seen and reported so far. */
interface SeenCrashes {
  /** IDs of events; null: none were ever read. */
  readonly seen: ReadonlySet<string> | null;
  /** When a crash of a server was last reported, by its ID, in Unix milliseconds. */
  readonly toldAtMs: ReadonlyMap<string, number>;
}

export const nothingSeen: SeenCrashes = { seen: null, toldAtMs: new Map() };

/** A crash that an agent reports late, since it was away, is no news. */
const recentMs = 600_000;
/** In this time a server's crashes are reported once, and at most this many servers individually. */
const lullMs = 60_000;
const mostServers = 3;

const kinds = ['server.crashed', 'server.crash-looping'] as const;

/**
 * Which crashes to report.
 * @param rows the newest events of their kinds
 * @param startedAtMs of this program; the user could already see what happened before
 */
export const decideCrashNotices = (
  rows: readonly Pick<EventRow, 'id' | 'at' | 'kind' | 'serverId' | 'payload'>[],
  { seen, toldAtMs }: SeenCrashes,
  { startedAtMs, nowMs }: { readonly startedAtMs: number; readonly nowMs: number },
): { readonly notices: readonly GameNotice[]; readonly now: SeenCrashes } => {
  const sinceMs = seen === null ? startedAtMs : nowMs - recentMs;
  const news = rows
    .filter(({ id, at }) => !seen?.has(id) && Date.parse(at) >= sinceMs && !isAhead(Date.parse(at), nowMs))
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const told = new Map([...toldAtMs].filter(([, atMs]) => Math.abs(nowMs - atMs) < lullMs));
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

const deadlineMs = 10_000;
/** Only the newest, so that months of the log are not searched for rare events. */
const pathSince = (sinceMs: number): string => {
  const query = new URLSearchParams({ from: new Date(sinceMs).toISOString(), limit: '100' });
  for (const kind of kinds) query.append('kind', kind);
  return `${eventsHttp.list.path}?${query}`;
};

/** Watches the event log for crashes of games, for as long as the API can be asked. */
export const watchGameCrashes = ({
  api,
  tell,
  log,
  everyMs = 5000,
}: {
  readonly api: Pick<ApiProxy, 'refusal' | 'fetch'>;
  readonly tell: (notice: GameNotice) => void;
  readonly log: Log;
  readonly everyMs?: number;
}): Disposable => {
  const startedAtMs = Date.now();
  let known = nothingSeen;
  let isDisposed = false;
  const look = async () => {
    if ((await api.refusal(false)) !== null) return;
    const sinceMs = known.seen === null ? startedAtMs : Date.now() - recentMs;
    const response = await api.fetch(pathSince(sinceMs), { signal: AbortSignal.timeout(deadlineMs) });
    // Without a license, or while it starts, the API does not answer.
    if (!response.ok) return void (await response.body?.cancel());
    const { rows } = eventsHttp.list.response.parse(await response.json());
    const { notices, now } = decideCrashNotices(rows, known, { startedAtMs, nowMs: Date.now() });
    known = now;
    if (!isDisposed) for (const notice of notices) tell(notice);
  };
  const looking = runPeriodically({
    intervalMs: everyMs,
    work: look,
    failure: 'could not check for game crashes; will retry',
    log,
  });
  return {
    [Symbol.dispose]() {
      isDisposed = true;
      looking[Symbol.dispose]();
    },
  };
};
