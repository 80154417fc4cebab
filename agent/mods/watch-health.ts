import type { HealthWatch, ModStep } from '#contracts/agent-mods.ts';
import type { Game } from '#games/game.ts';
import type { GameMods } from '#games/mods-layout.ts';
import { type PowerConsole, waitFor } from '../power/bring-down.ts';
import type { Power } from '../power/power.ts';
import { sinceBootMs } from '../power/process/process-identity.ts';
import type { GameLines } from './game-lines.ts';

export interface WatchOptions {
  readonly power: Pick<Power, 'report' | 'act'>;
  /** Null: nothing is known of the game's console. */
  readonly console: PowerConsole | null;
  readonly game: Pick<Game, 'listPlayers'>;
  readonly mods: Pick<GameMods, 'isFatal' | 'readModLine'>;
  readonly lines: GameLines;
  /** Takes secrets out of a line. */
  readonly maskLine: (line: string) => string;
  readonly watch: HealthWatch;
  readonly task: string;
  /** Breaks the watch off: the agent stops. */
  readonly signal: AbortSignal;
  readonly onStep: (step: ModStep, done: number, total: number | null) => void;
  readonly pollMs?: number;
}

export type Health =
  | { readonly is: 'proven'; readonly notes: readonly string[] }
  | {
      readonly is: 'failed';
      readonly at: ModStep;
      readonly why: string;
      readonly lines: readonly string[];
      /** People have stopped it. */
      readonly wasStopped: boolean;
    };

const mostLines = 50;
const longestLine = 1000;
const questionMs = 10_000;
const betweenQuestionsMs = 2000;
/** A world that is saved, or a pause of the garbage collector, keeps a healthy game from answering. */
const silentMs = 30_000;
/** Until the log has been read to what a crash has written. */
const lastLinesMs = 1000;

/** Starts the game, and looks whether it comes up and stays. @throws the reason of `signal` */
export const startAndWatch = async (options: WatchOptions): Promise<Health> => {
  const { power, console, game, mods, lines, maskLine, watch, task, signal, onStep, pollMs = 250 } = options;
  let beganMs = sinceBootMs();
  const last: string[] = [];
  const notes = new Set<string>();
  let fatal: string | null = null;
  using _following = lines.follow(beganMs, (line) => {
    const masked = maskLine(line).slice(0, longestLine);
    last.push(masked);
    if (last.length > mostLines) last.shift();
    if (mods.isFatal(line)) fatal ??= masked;
    const said = mods.readModLine(line);
    if (said?.is === 'failed' && notes.size < 20) notes.add(maskLine(said.why).slice(0, 500));
  });
  const failed = async (
    at: ModStep,
    why: string,
    wasStopped = power.report().wanted === 'stopped',
  ): Promise<Health> => {
    const { crashes, lastCrash } = power.report();
    const told = crashes > 0 ? (lastCrash?.lines ?? []) : [];
    if (told.length === 0 && fatal === null) await waitFor(lastLinesMs, [signal]);
    signal.throwIfAborted();
    return { is: 'failed', at, why, lines: told.length > 0 ? told : [...last], wasStopped };
  };
  /** Null: nothing has happened to it. */
  const trouble = (at: ModStep): Promise<Health> | null => {
    const { state, wanted, crashes } = power.report();
    // During the countdown of a stop, the game runs.
    if (wanted === 'stopped' && state === 'stopped')
      return failed(at, 'The game was stopped while it was watched.');
    if (crashes > 0 || ['stopped', 'backing-off', 'crash-looping'].includes(state))
      return failed(at, 'The game crashed with the new mods.');
    return fatal === null ? null : failed(at, `The game says that it cannot come up: ${fatal}`);
  };

  onStep('start', 0, null);
  const started = await untilAborted(
    power.act({
      action: 'start',
      countdown: null,
      task,
      signal: new AbortController().signal,
      onStep: () => undefined,
    }),
    signal,
  );
  if (started.outcome !== 'done')
    return (await trouble('start')) ?? failed('start', started.detail ?? 'The game did not start.');

  const ask = async () => {
    if (console === null) return power.report().state === 'running';
    const asked = await console.run(game.listPlayers.command, { timeoutMs: questionMs, signal });
    signal.throwIfAborted();
    return asked.outcome === 'answered';
  };
  let readyMs: number | null = null;
  let answeredMs = 0;
  let askedMs = 0;
  for (;;) {
    const step: ModStep = readyMs === null ? 'start' : 'watch';
    const found = trouble(step);
    if (found) return found;
    const { state } = power.report();
    // People stop it, or start it again: that it is silent says nothing of its mods.
    if (state === 'stopping') answeredMs = sinceBootMs();
    if (state === 'starting') {
      readyMs = null;
      beganMs = sinceBootMs();
    }
    const isOver = readyMs !== null && sinceBootMs() - readyMs >= watch.watchSeconds * 1000;
    if (isOver || readyMs === null || sinceBootMs() - askedMs >= betweenQuestionsMs) {
      const isAnswering = await ask();
      askedMs = sinceBootMs();
      if (isAnswering) {
        answeredMs = askedMs;
        readyMs ??= askedMs;
      }
      // Asked after the watch: what happened to it meanwhile is known by now.
      if (isOver && isAnswering) return trouble(step) ?? { is: 'proven', notes: [...notes] };
    }
    if (readyMs === null && sinceBootMs() - beganMs >= watch.readySeconds * 1000)
      return failed(
        'start',
        `The game's console did not answer within ${watch.readySeconds} s of the start.`,
      );
    if (readyMs !== null && sinceBootMs() - answeredMs >= silentMs)
      return failed('watch', "The game's console does not answer any more.");
    onStep(
      step,
      Math.round((sinceBootMs() - (readyMs ?? beganMs)) / 1000),
      readyMs === null ? watch.readySeconds : watch.watchSeconds,
    );
    await waitFor(pollMs, [signal]);
    signal.throwIfAborted();
  }
};

/** What goes on by itself when the agent stops is not waited for. @throws the reason of the signal */
export const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
};
