import { gameOf } from '#games/games.ts';
import { jittered } from '#runtime/back-off.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Servers } from '../../servers/servers.ts';
import type { Presence } from './presence.ts';

type PolledServer = ReturnType<Servers['directory']['all']>[number];

/** Asks games without an agent who is online. */
export type PlayerPolling = ReturnType<typeof createPlayerPolling>;

/** Covers connecting and the answer: Ascended is slow. */
const timeoutMs = 15_000;
const mostAtOnce = 8;
/** After failures the interval grows up to this factor: a restarted game is seen within about a minute. */
const slowest = 2;
const jitter = 0.1;
/** The part of an interval within which all games are asked for the first time. */
const firstRound = 1 / 6;
const ticksPerInterval = 60;

export const createPlayerPolling = ({
  servers: { directory, pool, agents },
  licenseHolds,
  presence,
  log,
  intervalMs = 30_000,
}: Pick<Kernel, 'licenseHolds' | 'log'> & {
  readonly servers: {
    readonly directory: Pick<Servers['directory'], 'all'>;
    readonly pool: Pick<Servers['pool'], 'listPlayers'>;
    readonly agents: Pick<Servers['agents'], 'isPresent'>;
  };
  readonly presence: Pick<Presence, 'report' | 'lost'>;
  readonly intervalMs?: number | undefined;
}) => {
  const dueAtMs = new Map<string, number>();
  const failures = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();
  const complaints = new Map<string, string>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const ask = async (serverId: string): Promise<boolean> => {
    try {
      const listing = await pool.listPlayers(serverId, { timeoutMs, signal: stopping.signal });
      if (stopping.signal.aborted) return false;
      if ('unreadable' in listing && typeof listing.unreadable === 'string')
        complaints.set(serverId, listing.unreadable);
      else complaints.delete(serverId);
      if ('value' in listing) presence.report(serverId, 'direct', listing.value);
      else presence.lost(serverId, 'direct');
      return 'value' in listing;
    } catch (error) {
      log.error({ err: error, serverId }, 'could not fetch the players of a server');
      presence.lost(serverId, 'direct');
      return false;
    }
  };

  const poll = async ({ id: serverId, game }: PolledServer) => {
    // Where each query leaves lines in the game's log.
    const { restMs = 0 } = gameOf(game).listPlayers;
    const isAnswered = await ask(serverId);
    const failed = isAnswered ? 0 : (failures.get(serverId) ?? 0) + 1;
    failures.set(serverId, failed);
    const delayMs = jittered(intervalMs * Math.min(slowest, 1 + failed / 4), jitter, Math.random());
    dueAtMs.set(serverId, performance.now() + Math.max(restMs, delayMs));
    underWay.delete(serverId);
  };

  const tick = () => {
    if (!licenseHolds()) return;
    const nowMs = performance.now();
    const wanted = directory.all().filter(({ id, host }) => host !== null && !agents.isPresent(id));
    forgetOthers(wanted);
    for (const { id } of wanted)
      if (!dueAtMs.has(id)) dueAtMs.set(id, nowMs + Math.random() * intervalMs * firstRound);
    // Longest overdue first, so that silent games do not keep others waiting for long.
    const due = wanted.filter(({ id }) => (dueAtMs.get(id) ?? nowMs) <= nowMs && !underWay.has(id));
    due.sort((one, other) => (dueAtMs.get(one.id) ?? 0) - (dueAtMs.get(other.id) ?? 0));
    for (const server of due.slice(0, mostAtOnce - underWay.size)) underWay.set(server.id, poll(server));
  };

  const forgetOthers = (wanted: readonly PolledServer[]) => {
    const ids = new Set(wanted.map(({ id }) => id));
    for (const id of dueAtMs.keys())
      if (!ids.has(id)) {
        dueAtMs.delete(id);
        failures.delete(id);
        complaints.delete(id);
      }
  };

  return {
    begin(): void {
      timer ??= setInterval(tick, intervalMs / ticksPerInterval).unref();
    },
    /** Why the last list could not be read, with the game's answer; null when it could, or there was no answer. */
    complaint: (serverId: string): string | null => complaints.get(serverId) ?? null,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      stopping.abort();
      await Promise.all(underWay.values());
    },
  };
};
