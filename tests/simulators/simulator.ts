import type { GameId } from '#contracts/servers/games.ts';
import type { GameLog } from './game-log.ts';
import type { Listener } from './listener.ts';
import type { Quirks } from './quirks.ts';
import type { Given, World } from './world.ts';

export interface SimulatorOptions<Q extends Quirks = Quirks> {
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  readonly password?: string;
  readonly logFile?: string;
  readonly quirks?: Partial<Q>;
  readonly now?: () => Date;
  /** Called for every item that reached a player, before the reply is sent. */
  readonly onGiven?: (given: Given) => void;
}

/** A simulated game: a real TCP server that speaks its console's wire format. */
export interface Simulator<Q extends Quirks = Quirks> extends Listener {
  readonly game: GameId;
  readonly password: string;
  readonly world: World;
  readonly quirks: Q;
  readonly log: GameLog;
  readonly logFile: string | undefined;
}

export const usualPassword = 'simulated-admin-password';

type Parts<Q extends Quirks> = Omit<Simulator<Q>, keyof Listener> & { readonly listener: Listener };

export const assembleSimulator = <Q extends Quirks>({ listener, ...rest }: Parts<Q>): Simulator<Q> => ({
  ...rest,
  port: listener.port,
  get sessions() {
    return listener.sessions;
  },
  get accepted() {
    return listener.accepted;
  },
  dropSessions: listener.dropSessions,
  goOffline: listener.goOffline,
  comeBack: listener.comeBack,
  [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
});
