import type { Member } from '#contracts/people/members.ts';
import type { Agent } from '#contracts/servers/agents.ts';
import type { Cluster } from '#contracts/servers/clusters.ts';
import type { ConsoleEntry } from '#contracts/servers/console.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import type { Delivery } from '#contracts/store/deliveries.ts';
import type { Product } from '#contracts/store/store.ts';

/** The facts that the steps depend on; undefined: not read yet, or not readable for this person. */
export interface OnboardingStatus {
  readonly hasOwner: boolean | undefined;
  readonly clusters: readonly Cluster[] | undefined;
  readonly servers: readonly GameServer[] | undefined;
  /** The newest one that got a reply. */
  readonly answered: ConsoleEntry | null | undefined;
  readonly agents: readonly Agent[] | undefined;
  readonly products: readonly Product[] | undefined;
  readonly members: readonly Member[] | undefined;
  /** The newest few, whatever their result. */
  readonly deliveries: readonly Delivery[] | undefined;
  /** The newest one that has arrived. */
  readonly delivered: Delivery | null | undefined;
}

export interface StepBodyProps {
  readonly status: OnboardingStatus;
}

/** - `unknown`: it cannot be determined at the moment, or not for this person */
export type StepState = 'done' | 'open' | 'unknown';

const stateOf = <Value>(value: Value | undefined, isDone: (value: Value) => boolean): StepState => {
  if (value === undefined) return 'unknown';
  return isDone(value) ? 'done' : 'open';
};

export interface StepFacts {
  readonly id:
    | 'owner'
    | 'cluster'
    | 'server'
    | 'online'
    | 'command'
    | 'agent'
    | 'product'
    | 'points'
    | 'delivery';
  readonly state: (status: OnboardingStatus) => StepState;
}

/** From nothing to the first delivered item, in their order. A step that was done once stays done when a game is off. */
export const stepFacts = [
  { id: 'owner', state: ({ hasOwner }) => stateOf(hasOwner, (is) => is) },
  { id: 'cluster', state: ({ clusters }) => stateOf(clusters, ({ length }) => length > 0) },
  { id: 'server', state: ({ servers }) => stateOf(servers, ({ length }) => length > 0) },
  {
    id: 'online',
    state: ({ servers }) =>
      stateOf(servers, (rows) =>
        rows.some(({ status }) => status.state === 'online' || status.answeredAt !== null),
      ),
  },
  { id: 'command', state: ({ answered }) => stateOf(answered, (entry) => entry !== null) },
  {
    id: 'agent',
    state: ({ agents }) =>
      stateOf(agents, (rows) =>
        rows.some(({ mode, stale, keyFingerprint }) => (mode !== null && !stale) || keyFingerprint !== null),
      ),
  },
  { id: 'product', state: ({ products }) => stateOf(products, ({ length }) => length > 0) },
  {
    id: 'points',
    // The points may be spent by now.
    state: ({ members, deliveries = [] }) =>
      stateOf(
        members,
        (rows) => rows.some(({ balance }) => balance > 0) || deliveries.some(({ points }) => points > 0),
      ),
  },
  { id: 'delivery', state: ({ delivered }) => stateOf(delivered, (delivery) => delivery !== null) },
] as const satisfies readonly StepFacts[];

interface Progress {
  readonly states: readonly StepState[];
  readonly done: number;
  /** The first step still to be done; null: none. */
  readonly next: StepFacts['id'] | null;
  /** Every step is known to be done. */
  readonly isAllDone: boolean;
}

export const progressOf = (status: OnboardingStatus): Progress => {
  const states = stepFacts.map(({ state }) => state(status));
  const open = states.indexOf('open');
  const done = states.filter((state) => state === 'done').length;
  return {
    states,
    done,
    next: stepFacts[open]?.id ?? null,
    isAllDone: done === stepFacts.length,
  };
};
