import { reasons } from '#contracts/kernel/reasons.ts';
import type { ProcessReport } from '#contracts/servers/agent-tasks.ts';
import type { GameServerStatus, ShownState } from '#contracts/servers/game-servers.ts';
import type { Log } from '#runtime/log.ts';
import type { StateBeginnings } from '../../kernel/database/state-beginnings.ts';
import { combineState, type ToldProcess } from './combine-state.ts';
import { type DerivedStatus, deriveStatus, type StatusFacts } from './derive-status.ts';

interface ReportedProcess extends ToldProcess {
  readonly report: Pick<ProcessReport, 'state' | 'upMs' | 'crashes' | 'nextStartInMs' | 'program'>;
  readonly hasConsole: boolean;
}

/** A status with a number that changes whenever anything but the game's last response time does. */
export interface NumberedStatus {
  readonly status: GameServerStatus;
  readonly number: number;
}

/** The status of every server in use. */
export type ServerStatuses = ReturnType<typeof createServerStatuses>;

interface Known extends NumberedStatus {
  readonly answeredAtMs: number | null;
}
type Substance = Omit<GameServerStatus, 'since' | 'answeredAt'>;

/**
 * How many servers a sweep checks before it lets other work run, and for how long: thousands at a time would block
 * everything else. A sweep of 10,000 servers takes four seconds.
 */
const mostPerTurn = 500;
const turnMs = 200;

export const createServerStatuses = ({
  servers,
  factsOf,
  processOf,
  playersOn,
  beginnings,
  log,
  sweepMs = 1000,
}: {
  readonly servers: {
    get(id: string): object | null;
    all(): readonly { readonly id: string }[];
  };
  readonly factsOf: (serverId: string) => StatusFacts;
  /** What its agent reports about the game's process; null: nothing. */
  readonly processOf: (serverId: string) => ReportedProcess | null;
  /** How many players are on it; null when unknown. */
  readonly playersOn: (serverId: string) => number | null;
  readonly beginnings: Pick<StateBeginnings, 'earlier' | 'note'>;
  readonly log: Log;
  readonly sweepMs?: number;
}) => {
  const known = new Map<string, Known>();
  /** Already logged, until they can be checked again. */
  const failing = new Set<string>();
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let nextTurn: NodeJS.Timeout | undefined;
  let numbers = 0;

  const look = (serverId: string): Known => {
    const before = known.get(serverId);
    const facts = factsOf(serverId);
    const { answeredAtMs: answeredNowMs, ...derived }: DerivedStatus = deriveStatus(facts);
    const reported = processOf(serverId);
    const shown = combineState({
      nowMs: facts.nowMs,
      console: derived.state,
      answeredAtMs: answeredNowMs,
      hasConsole: reported?.hasConsole ?? true,
      process: reported,
    });
    const process = sameProcess(before?.status.process ?? null, processView(reported));
    const players = derived.state === 'online' && !emptyStates.has(shown) ? playersOn(serverId) : null;
    const substance = { ...derived, players, shown, process };
    const answeredAtMs = answeredNowMs ?? before?.answeredAtMs ?? null;
    const isSame = before !== undefined && isSameSubstance(before.status, substance);
    if (isSame && before.answeredAtMs === answeredAtMs) return before;
    if (!isSame) numbers += 1;
    const { state, detail, outcome, via, agentMode } = derived;
    const isSameState = before?.status.state === state && before.status.shown === shown;
    const since =
      (isSameState && before.status.since) || beginningOf(serverId, `${state} ${shown}`, facts.nowMs);
    const answeredAt = answeredAtMs === null ? null : new Date(answeredAtMs).toISOString();
    const seen = {
      answeredAtMs,
      number: isSame ? before.number : numbers,
      // Field by field: an object with spread fields takes twice the memory.
      status: { state, detail, outcome, via, since, answeredAt, players, agentMode, shown, process },
    };
    known.set(serverId, seen);
    return seen;
  };

  const beginningOf = (serverId: string, state: string, nowMs: number): string => {
    const subject = `server:${serverId}`;
    const since = beginnings.earlier(subject, state) ?? new Date(nowMs).toISOString();
    beginnings.note(subject, state, since);
    return since;
  };

  /** An error with one server must not end the sweep. */
  const tryLook = (serverId: string) => {
    try {
      look(serverId);
      failing.delete(serverId);
    } catch (err) {
      if (!failing.has(serverId)) log.error({ err, serverId }, 'could not publish the status of a server');
      failing.add(serverId);
    }
  };
  const lookAt = (all: readonly { readonly id: string }[], from: number) => {
    nextTurn = undefined;
    // A server that was removed during the sweep stays forgotten.
    for (const { id } of all.slice(from, from + mostPerTurn)) if (servers.get(id)) tryLook(id);
    if (from + mostPerTurn < all.length) {
      nextTurn = setTimeout(lookAt, turnMs, all, from + mostPerTurn).unref();
      return;
    }
    for (const listener of [...listeners]) listener();
  };
  const sweep = () => {
    if (nextTurn) return;
    for (const id of known.keys()) if (!servers.get(id)) known.delete(id);
    for (const id of failing) if (!servers.get(id)) failing.delete(id);
    lookAt(servers.all(), 0);
  };

  return {
    /** The current status. */
    read: (serverId: string): GameServerStatus =>
      servers.get(serverId) ? look(serverId).status : archivedStatus,
    /** All servers in use, as of the last sweep. */
    all: (): ReadonlyMap<string, NumberedStatus> => known,
    /** Calls the listener after each sweep. @returns the function that unsubscribes */
    onSweep(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin(): void {
      timer ??= setInterval(sweep, sweepMs).unref();
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      clearTimeout(nextTurn);
      listeners.clear();
    },
  };
};

const isSameSubstance = (one: Substance, other: Substance): boolean =>
  (Object.keys(other) as (keyof Substance)[]).every((key) => one[key] === other[key]);

/** States in which no one can be on a server, whatever its console last said. */
const emptyStates: ReadonlySet<ShownState> = new Set([
  'starting',
  'stopped',
  'program-fault',
  'backing-off',
  'crash-looping',
]);

const processView = (reported: ReportedProcess | null): GameServerStatus['process'] => {
  if (!reported || reported.report.state === 'unmanaged') return null;
  const { crashes, nextStartInMs } = reported.report;
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const nextStartMs = nextStartInMs === null ? null : reported.atMs + nextStartInMs;
  return { crashes, nextStartAt: iso(nextStartMs), lostAt: iso(reported.lostAtMs) };
};

/** Returns the previous object if nothing has changed, so that it does not count as a change. */
const sameProcess = (
  before: GameServerStatus['process'],
  now: GameServerStatus['process'],
): GameServerStatus['process'] =>
  before &&
  now &&
  before.crashes === now.crashes &&
  before.nextStartAt === now.nextStartAt &&
  before.lostAt === now.lostAt
    ? before
    : now;

const archivedStatus: GameServerStatus = {
  state: 'unknown',
  detail: reasons.archived,
  outcome: null,
  via: null,
  since: null,
  answeredAt: null,
  players: null,
  agentMode: null,
  shown: 'unknown',
  process: null,
};
