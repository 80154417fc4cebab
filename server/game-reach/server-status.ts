import { isDeepStrictEqual } from 'node:util';
import type { GameServerStatus } from '#contracts/game-servers.ts';
import { type DerivedStatus, deriveStatus, type StatusFacts } from './derive-status.ts';

export interface ServerStatusOptions {
  readonly servers: {
    get(id: string): object | null;
    all(): readonly { readonly id: string }[];
  };
  readonly factsOf: (serverId: string) => StatusFacts;
  /** How many are there; null when it is not known. */
  readonly playersOn: (serverId: string) => number | null;
  readonly sweepMs?: number;
}

/** A status with a number that changes whenever it does, but for when the game last answered. */
export interface NumberedStatus {
  readonly status: GameServerStatus;
  readonly number: number;
}

/** The status of every server in use. */
export interface ServerStatuses extends Disposable {
  /** As it is at this moment. */
  read(serverId: string): GameServerStatus;
  /** Of all servers in use, as of the last sweep. */
  all(): ReadonlyMap<string, NumberedStatus>;
  /** Called after each sweep. @returns how to stop listening */
  onSweep(listener: () => void): () => void;
  begin(): void;
}

interface Known extends NumberedStatus {
  readonly substance: Substance;
}
type Substance = Omit<GameServerStatus, 'since' | 'answeredAt'>;

export const createServerStatuses = ({
  servers,
  factsOf,
  playersOn,
  sweepMs = 1000,
}: ServerStatusOptions): ServerStatuses => {
  const known = new Map<string, Known>();
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let numbers = 0;

  const look = (serverId: string): Known => {
    const before = known.get(serverId);
    const facts = factsOf(serverId);
    const { answeredAtMs, ...derived }: DerivedStatus = deriveStatus(facts);
    const players = derived.state === 'online' ? playersOn(serverId) : null;
    const substance = { ...derived, players };
    const answeredAt =
      answeredAtMs === null ? (before?.status.answeredAt ?? null) : new Date(answeredAtMs).toISOString();
    const isSameState = before?.substance.state === derived.state;
    const since = isSameState ? before.status.since : new Date(facts.nowMs).toISOString();
    const isSame = before !== undefined && isDeepStrictEqual(before.substance, substance);
    if (!isSame) numbers += 1;
    const seen = {
      substance,
      number: isSame ? before.number : numbers,
      status: { ...substance, since, answeredAt },
    };
    known.set(serverId, seen);
    return seen;
  };

  const sweep = () => {
    for (const id of known.keys()) if (!servers.get(id)) known.delete(id);
    for (const { id } of servers.all()) look(id);
    for (const listener of [...listeners]) listener();
  };

  return {
    read: (serverId) => (servers.get(serverId) ? look(serverId).status : archivedStatus),
    all: () => known,
    onSweep(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin() {
      timer ??= setInterval(sweep, sweepMs).unref();
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      listeners.clear();
    },
  };
};

const archivedStatus: GameServerStatus = {
  state: 'unknown',
  detail: 'It is in the archive.',
  outcome: null,
  via: null,
  since: null,
  answeredAt: null,
  players: null,
  agentMode: null,
};
