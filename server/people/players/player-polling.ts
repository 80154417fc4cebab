import type { ListedPlayer, Reading } from '#games/game.ts';
import { jittered } from '#runtime/back-off.ts';
import type { Log } from '#runtime/log.ts';
import type { Presence } from './presence.ts';

export interface PollableServer {
  readonly id: string;
  /** Null: it has no console address. */
  readonly host: string | null;
  /** The minimum pause between two queries, in milliseconds, where each leaves lines in the game's log. */
  readonly restMs?: number | undefined;
}

export interface PlayerPollingOptions {
  /** Servers in use. */
  readonly servers: { all(): readonly PollableServer[] };
  /** Never rejects. Without a value the game's answer is missing or unreadable. */
  readonly listPlayers: (
    serverId: string,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ) => Promise<Reading<readonly ListedPlayer[]> | object>;
  readonly isAgentPresent: (serverId: string) => boolean;
  /** From the current license. */
  readonly mayAsk: () => boolean;
  readonly presence: Pick<Presence, 'report' | 'lost'>;
  readonly log: Log;
  readonly intervalMs?: number;
}

/** Asks games without an agent who is online. */
export interface PlayerPolling extends AsyncDisposable {
  begin(): void;
  /** Why the last list could not be read, with the game's answer; null when it could, or there was no answer. */
  complaint(serverId: string): string | null;
}

/** Covers connecting and the answer: Ascended is slow. */
const timeoutMs = 15_000;
const mostAtOnce = 8;
/** After failures the interval grows up to this factor: a restarted game is seen within about a minute. */
const slowest = 2;
const jitter = 0.1;
/** The part of an interval within which all games are asked for the first time. */
const firstRound = 1 / 6;
const ticksPerInterval = 60;

export const createPlayerPolling = (options: PlayerPollingOptions): PlayerPolling => {
  const { servers, listPlayers, isAgentPresent, mayAsk, presence, log, intervalMs = 30_000 } = options;
  const dueAtMs = new Map<string, number>();
  const failures = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();
  const complaints = new Map<string, string>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const ask = async (serverId: string): Promise<boolean> => {
    try {
      const listing = await listPlayers(serverId, { timeoutMs, signal: stopping.signal });
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

  const poll = async ({ id: serverId, restMs = 0 }: PollableServer) => {
    const isAnswered = await ask(serverId);
    const failed = isAnswered ? 0 : (failures.get(serverId) ?? 0) + 1;
    failures.set(serverId, failed);
    const delayMs = jittered(intervalMs * Math.min(slowest, 1 + failed / 4), jitter, Math.random());
    dueAtMs.set(serverId, performance.now() + Math.max(restMs, delayMs));
    underWay.delete(serverId);
  };

  const tick = () => {
    if (!mayAsk()) return;
    const nowMs = performance.now();
    const wanted = servers.all().filter(({ id, host }) => host !== null && !isAgentPresent(id));
    forgetOthers(wanted);
    for (const { id } of wanted)
      if (!dueAtMs.has(id)) dueAtMs.set(id, nowMs + Math.random() * intervalMs * firstRound);
    // Longest overdue first, so that silent games do not keep others waiting for long.
    const due = wanted.filter(({ id }) => (dueAtMs.get(id) ?? nowMs) <= nowMs && !underWay.has(id));
    due.sort((one, other) => (dueAtMs.get(one.id) ?? 0) - (dueAtMs.get(other.id) ?? 0));
    for (const server of due.slice(0, mostAtOnce - underWay.size)) underWay.set(server.id, poll(server));
  };

  const forgetOthers = (wanted: readonly PollableServer[]) => {
    const ids = new Set(wanted.map(({ id }) => id));
    for (const id of dueAtMs.keys())
      if (!ids.has(id)) {
        dueAtMs.delete(id);
        failures.delete(id);
        complaints.delete(id);
      }
  };

  return {
    begin() {
      timer ??= setInterval(tick, intervalMs / ticksPerInterval).unref();
    },
    complaint: (serverId) => complaints.get(serverId) ?? null,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      stopping.abort();
      await Promise.all(underWay.values());
    },
  };
};
