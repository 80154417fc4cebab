import type { ComponentName, ComponentStatus, StackState } from '#contracts/operations/stack.ts';
import { type DelayClock, systemClock } from '#runtime/clock.ts';
import type { Component } from './component.ts';
import { probeLimits } from './probe-verdict.ts';
import { restartLimits } from './restart-verdict.ts';
import { stackState } from './stack-state.ts';
import { type SupervisionLimits, superviseComponent } from './supervised-component.ts';

export interface Supervisor {
  state(): StackState;
  components(): ComponentStatus[];
  /** Whether the component's last probe got no answer. */
  isSilent(name: ComponentName): boolean;
  /** Asks each component how it is without waiting for its turn, as after a sleep. */
  probeNow(): void;
  /** Resolves when each component answers or has failed. A second call gets the first one's promise. */
  start(): Promise<void>;
  /** Resolves when everything is gone. A second call with `now` hurries the first. */
  stop(how?: 'orderly' | 'now'): Promise<void>;
  /**
   * Restarts one component (the others reconnect by themselves), or all. Resolves like `start`. One component of a stack that someone
   * has stopped stays stopped: a change that it is restarted for does not start the stack.
   */
  restart(name?: ComponentName): Promise<void>;
}

export const supervisionLimits: SupervisionLimits = { restart: restartLimits, probe: probeLimits };

export const createSupervisor = ({
  components,
  onChange = () => undefined,
  limits = supervisionLimits,
  clock = systemClock,
  random = Math.random,
}: {
  /** In the order in which they start; they stop in the reverse order. */
  readonly components: readonly Component[];
  readonly onChange?: (component: ComponentStatus) => void;
  readonly limits?: SupervisionLimits;
  readonly clock?: DelayClock;
  /** From 0 to below 1. */
  readonly random?: () => number;
}): Supervisor => {
  const supervised = components.map((component) =>
    superviseComponent({ component, limits, clock, random, onChange }),
  );
  const reversed = supervised.toReversed();
  let wanted = false;
  /** Counts the users' orders, so that a running restart gives way to a later stop. */
  let wish = 0;
  let starting: Promise<void> | null = null;
  let stopping: Promise<void> | null = null;

  const startInOrder = async (mine: number) => {
    await stopping;
    for (const component of supervised) {
      if (wish !== mine) return;
      await component.start();
    }
  };

  const stopInOrder = async (how: 'orderly' | 'now') => {
    for (const component of reversed) await component.stop(how);
  };

  const start = (): Promise<void> => {
    if (wanted && starting) return starting;
    wanted = true;
    wish += 1;
    starting = startInOrder(wish);
    return starting;
  };

  const stop = async (how: 'orderly' | 'now' = 'orderly'): Promise<void> => {
    wanted = false;
    wish += 1;
    if (stopping && how === 'now') await Promise.all(reversed.map((component) => component.stop('now')));
    stopping ??= stopInOrder(how).finally(() => {
      stopping = null;
    });
    await stopping;
  };

  const restartOne = async (name: ComponentName) => {
    const component = supervised.find((candidate) => candidate.name === name);
    const mine = wish;
    await component?.stop('orderly');
    if (wish === mine && wanted) await component?.start();
  };

  return {
    state: () =>
      stackState(
        wanted,
        supervised.map((component) => component.snapshot()),
      ),
    isSilent: (name) => supervised.some((component) => component.name === name && component.isSilent()),
    components: () => supervised.map((component) => component.status()),
    probeNow() {
      for (const component of supervised) component.probeNow();
    },
    start,
    stop,
    async restart(name) {
      if (name) return wanted ? restartOne(name) : undefined;
      const stopped = stop();
      const mine = wish;
      await stopped;
      if (wish === mine) await start();
    },
  };
};
