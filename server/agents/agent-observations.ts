import type { AgentObservers } from './frame-intake.ts';

/**
 * What agents say, for features that are built after the gateway. Observing fails as long as no one listens: an agent
 * forgets what is acknowledged as written.
 */
export interface AgentObservations extends AgentObservers {
  on<Kind extends keyof AgentObservers>(kind: Kind, listener: AgentObservers[Kind]): void;
}

type Listeners = { [Kind in keyof AgentObservers]: AgentObservers[Kind][] };

export const createAgentObservations = (): AgentObservations => {
  const listeners: Listeners = { players: [], events: [], lines: [], lateResult: [], changed: [] };
  const demandListener = (kind: keyof AgentObservers) => {
    if (listeners[kind].length === 0) throw new Error(`no one listens to what agents say: ${kind}`);
  };
  return {
    on: (kind, listener) => void listeners[kind].push(listener),
    players: (...said) => {
      for (const listener of listeners.players) listener(...said);
    },
    lines: (...said) => {
      for (const listener of listeners.lines) listener(...said);
    },
    changed: (serverId) => {
      for (const listener of listeners.changed) listener(serverId);
    },
    async events(...said) {
      demandListener('events');
      await Promise.all(listeners.events.map((listener) => listener(...said)));
    },
    async lateResult(...late) {
      demandListener('lateResult');
      await Promise.all(listeners.lateResult.map((listener) => listener(...late)));
    },
  };
};
