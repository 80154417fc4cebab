import type { StackHealth } from '#contracts/operations/health.ts';
import type { Waiting } from '#contracts/operations/waiting.ts';
import type { GameServer, ShownState } from '#contracts/servers/game-servers.ts';
import type { Tone } from '../../kit/design/state-label.tsx';
import {
  isTrouble,
  partTones,
  type StackPart,
  stackParts,
  unknownPartsOf,
} from '../../operations/stack-health/stack-parts.ts';
import { serverTones } from '../../servers/game-servers/server-state.tsx';

interface Told {
  readonly tone: Extract<Tone, 'warn' | 'bad'>;
  /** ISO 8601; null: not known. */
  readonly since: string | null;
}
export interface PartProblem extends Told {
  readonly kind: 'part';
  readonly part: StackPart;
}
/** The states of a server that someone should look into. */
export type TroubledState = Extract<
  ShownState,
  'console-silent' | 'program-fault' | 'backing-off' | 'crash-looping' | 'offline'
>;
export interface ServerProblem extends Told {
  readonly kind: 'server';
  readonly server: GameServer;
  readonly shown: TroubledState;
}
export type Problem = PartProblem | ServerProblem;

const isTroubled = (shown: ShownState): shown is TroubledState =>
  shown === 'console-silent' ||
  shown === 'program-fault' ||
  shown === 'backing-off' ||
  shown === 'crash-looping' ||
  shown === 'offline';

/** Broken before needing attention; the stack before the servers, since they depend on it. */
const rank = ({ tone, kind }: Problem): number => (tone === 'bad' ? 0 : 2) + (kind === 'part' ? 0 : 1);

/** How many components and servers have an unknown state, so that no one can say that they work. */
export const unknownsOf = (health: StackHealth | undefined, servers: readonly GameServer[]): number =>
  (health ? unknownPartsOf(health) : 0) +
  servers.filter(({ status: { shown } }) => shown === 'lost' || shown === 'unknown').length;

/** The known problems of the stack and the servers; the worst first. */
export const problemsOf = (
  health: StackHealth | undefined,
  servers: readonly GameServer[],
): readonly Problem[] => {
  const parts = health ? stackParts(health).filter(isTrouble) : [];
  const ofParts = parts.map(
    (part): PartProblem => ({
      kind: 'part',
      part,
      tone: partTones[part.state] === 'bad' ? 'bad' : 'warn',
      since: health?.troubleSince[part.name] ?? null,
    }),
  );
  const ofServers = servers.flatMap((server): ServerProblem[] => {
    const { shown, since } = server.status;
    if (!isTroubled(shown)) return [];
    return [{ kind: 'server', server, shown, tone: serverTones[shown] === 'bad' ? 'bad' : 'warn', since }];
  });
  return [...ofParts, ...ofServers].sort((a, b) => rank(a) - rank(b));
};

/** What is said while no problem is known. */
type QuietVerdict =
  | { readonly say: 'unreadable' | 'unread' | 'well' }
  | { readonly say: 'unknown' | 'starting' | 'waits'; readonly count: number };

/** Well: everything was read, every server that should run does, and nothing waits for a person. */
export const quietVerdict = (options: {
  /** Reading some of what the reader may see has failed. */
  readonly isUnreadable: boolean;
  readonly isRead: boolean;
  readonly unknowns: number;
  readonly servers: readonly GameServer[];
  readonly waiting: Waiting | undefined;
}): QuietVerdict => {
  const { isUnreadable, isRead, unknowns, servers, waiting } = options;
  if (isUnreadable) return { say: 'unreadable' };
  if (!isRead || !waiting) return { say: 'unread' };
  const count = waiting.rows.reduce((sum, row) => sum + row.count, 0);
  if (count > 0) return { say: 'waits', count };
  if (unknowns > 0) return { say: 'unknown', count: unknowns };
  const starting = servers.filter(
    ({ status: { shown } }) => shown === 'starting' || shown === 'stopping',
  ).length;
  return starting > 0 ? { say: 'starting', count: starting } : { say: 'well' };
};
