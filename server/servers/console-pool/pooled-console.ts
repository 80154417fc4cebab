import { type GameId, withoutReply } from '#contracts/servers/games.ts';
import type { RunOptions } from '#games/connection.ts';
import { gameOf } from '#games/games.ts';
import { createGameLink, type GameLink } from '#games/link/game-link.ts';
import type { LinkState } from '#games/link/reconnecting-console.ts';
import { Secret } from '#runtime/secret.ts';
import type { RunResult } from '../../kernel/commands/routes.ts';

/** What a link needs to know about a game server in use. */
export interface LinkableServer {
  readonly id: string;
  readonly game: GameId;
  readonly host: string | null;
  readonly port: number;
  readonly password: string | null;
}

export interface PooledConsoleOptions {
  /** Opens a sealed password, or says in words why that fails. */
  readonly openPassword: (serverId: string, sealed: string) => Secret | { readonly unreadable: string };
  readonly onLine: (serverId: string, text: string) => void;
}

export interface LinkReading {
  readonly state: LinkState;
  /** When the game itself last replied. */
  readonly answeredAt: Date | null;
  /** How long its last reply took, in milliseconds; null before the first. */
  readonly answerMs: number | null;
  /** The last command got no reply. */
  readonly isSilent: boolean;
}

/** The direct connection to one console, for as long as the server is unchanged. */
export type PooledConsole = ReturnType<typeof openPooledConsole>;

export const openPooledConsole = (server: LinkableServer, options: PooledConsoleOptions) => {
  const { game, host, port } = server;
  const { openPassword, onLine } = options;
  let sealed = server.password;
  const open = (text: string | null) => (text === null ? new Secret('') : openPassword(server.id, text));
  const password = open(sealed);
  let answeredAt: Date | null = null;
  let answerMs: number | null = null;
  let isSilent = false;
  let running = 0;
  const idle = new EventTarget();
  const isOpen = password instanceof Secret;

  const link: Pick<GameLink, 'run' | 'state' | 'close'> = isOpen
    ? createGameLink({
        game: gameOf(game),
        target: { host: host ?? '', port, password },
        keepOpen: true,
        onLine: (text) => onLine(server.id, text),
        onState({ status, since }) {
          if (status !== 'ready') return;
          answeredAt = since;
          isSilent = false;
        },
      })
    : withoutPassword(password.unreadable);

  return {
    game,
    /** Whether it leads to this server's current address, with its current password. */
    fits(now: LinkableServer): boolean {
      if (now.game !== game || now.host !== host || now.port !== port) return false;
      if (now.password === sealed) return true;
      // Resealed with another key it is the same password, and no reason to cut off what runs.
      const reopened = open(now.password);
      const isSame = isOpen && reopened instanceof Secret && reopened.reveal() === password.reveal();
      if (isSame) sealed = now.password;
      return isSame;
    },
    /** Never rejects. */
    async run(command: string, runOptions: RunOptions): Promise<RunResult> {
      running += 1;
      try {
        const result = await link.run(command, runOptions);
        if (result.outcome === 'answered') {
          answeredAt = new Date();
          answerMs = result.durationMs;
        }
        if (result.sent) isSilent = result.outcome !== 'answered';
        const { failure } = link.state();
        return { result, detail: failure?.outcome === result.outcome ? failure.detail : null };
      } finally {
        running -= 1;
        if (running === 0) idle.dispatchEvent(new Event('idle'));
      }
    },
    read: (): LinkReading => ({ state: link.state(), answeredAt, answerMs, isSilent }),
    /** Ends as soon as its commands have ended. */
    async retire(): Promise<void> {
      if (running > 0) await new Promise((resolve) => idle.addEventListener('idle', resolve, { once: true }));
      await link.close();
    },
    /** Ends now. */
    close: (): Promise<void> => link.close(),
  };
};

/** Without its password nothing can be asked of the game; readers are told why. */
const withoutPassword = (detail: string): Pick<GameLink, 'run' | 'state' | 'close'> => {
  const failure = { outcome: 'authentication failed', detail } as const;
  const state: LinkState = { status: 'waiting', since: new Date(), failure, nextTryAt: null };
  const result = withoutReply(failure.outcome);
  return { run: async () => result, state: () => state, close: async () => undefined };
};
