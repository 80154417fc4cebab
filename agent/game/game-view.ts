import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import type { CommandOutcome, CommandResult } from '#contracts/servers/games.ts';
import type { ConsoleTarget } from '#games/connection.ts';
import type { Game, ListedPlayer } from '#games/game.ts';
import { createGameLink } from '#games/link/game-link.ts';
import { readListing } from '#games/read-listing.ts';
import type { Log } from '#runtime/log.ts';
import { answerHoldsMs, isDown, readServerState, type ServerReading } from './server-state.ts';

/** The game as its console shows it. */
export interface GameView extends AsyncDisposable {
  reading(): ServerReading & { readonly players: readonly ListedPlayer[] | null };
  obstacle(options: { timeoutMs: number; signal: AbortSignal }): Promise<CommandOutcome | null>;
  run(command: string, options: { timeoutMs: number; signal: AbortSignal }): Promise<CommandResult>;
}

const usualAskMs = 5000;
/** ARK: Survival Ascended may take this long. */
const answerTimeoutMs = 15_000;
/** After the next question is due. */
const answerGraceMs = 15_000;

export const openGameView = (options: {
  readonly game: Game;
  readonly target: ConsoleTarget;
  /** Lines that the console writes unasked, if it does that. */
  readonly onLine?: ((line: string) => void) | undefined;
  readonly log: Log;
  /** Between two questions for the players. */
  readonly askMs?: number | undefined;
  /** Whether the game's process runs: its console is then tried every few seconds, where the link alone would wait for up to a minute. */
  readonly isProcessUp?: () => boolean;
  /** Since that process started, in milliseconds; null when it does not run, or when that is not known. */
  readonly processUpMs?: () => number | null;
  readonly linkTiming?: Parameters<typeof createGameLink>[0]['timing'];
}): GameView => {
  const {
    game,
    target,
    onLine,
    log,
    isProcessUp = () => false,
    processUpMs = () => null,
    linkTiming,
  } = options;
  const { askMs = game.listPlayers.restMs ?? usualAskMs } = options;
  const stopping = new AbortController();
  let answeredAtMs: number | null = null;
  let listedAtMs: number | null = null;
  let complaint: string | null = null;
  let players: readonly ListedPlayer[] | null = null;
  let asking = false;
  let lastFailure: string | null = null;

  /** Logs each reason once, however often the game is tried. */
  const tell = (failure: string | null) => {
    if (failure !== null && failure !== lastFailure) log.warn(failure);
    lastFailure = failure;
  };

  const link = createGameLink({
    game,
    target,
    keepOpen: true,
    onLine,
    timing: linkTiming,
    onState({ status, failure }) {
      if (failure && status === 'waiting') tell(failure.detail);
      // Once it is back it has to answer again: its earlier players are no longer there.
      if (failure && isDown(failure)) answeredAtMs = null;
      if (status === 'ready') {
        tell(null);
        log.info('the game responds');
        void ask();
      }
    },
  });

  const askFor = (command: string) =>
    link.run(command, { timeoutMs: answerTimeoutMs, signal: stopping.signal });
  const ask = async () => {
    if (asking || stopping.signal.aborted || link.state().status !== 'ready') return;
    asking = true;
    try {
      const { outcome, reply } = await askFor(game.listPlayers.command);
      complaint = `${consoleReasons['status-silent']} ${consoleReasons['error-code'](outcome)}`;
      if (reply === null) return;
      const read = await readListing(game.listPlayers, reply, async (other) => (await askFor(other)).reply);
      answeredAtMs = performance.now();
      if (read && 'unreadable' in read) complaint = read.unreadable;
      if (!read || 'unreadable' in read) return;
      players = read.value;
      listedAtMs = answeredAtMs;
      complaint = null;
    } finally {
      asking = false;
    }
  };
  const timer = setInterval(() => void ask(), askMs);
  const knocking = setInterval(() => {
    if (!stopping.signal.aborted && isProcessUp() && link.state().status !== 'ready')
      void askFor(game.listPlayers.command);
  }, usualAskMs);

  return {
    reading() {
      const reading = readServerState({
        link: link.state(),
        answeredAgoMs: sinceMs(answeredAtMs),
        upMs: processUpMs(),
        listedAgoMs: sinceMs(listedAtMs),
        complaint,
        holdsMs: Math.max(answerHoldsMs, askMs + answerGraceMs),
      });
      const isEmpty = reading.state === 'offline' || reading.state === 'starting';
      return { ...reading, players: isEmpty ? [] : players };
    },
    async obstacle(runOptions) {
      if (link.state().status === 'ready') return null;
      const { outcome } = await link.run(game.listPlayers.command, runOptions);
      return outcome === 'answered' ? null : outcome;
    },
    run: (command, runOptions) => link.run(command, runOptions),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      clearInterval(knocking);
      stopping.abort();
      await link[Symbol.asyncDispose]();
    },
  };
};

const sinceMs = (atMs: number | null): number | null => (atMs === null ? null : performance.now() - atMs);
