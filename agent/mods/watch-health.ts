import type { HealthWatch, ModStep } from '#contracts/servers/agent-mods.ts';
import type { CommandOutcome } from '#contracts/servers/games.ts';
import type { Game } from '#games/game.ts';
import type { GameMods } from '#games/mods-layout.ts';
import { type PowerConsole, waitFor } from '../power/bring-down.ts';
import type { Power } from '../power/power.ts';
import { sinceBootMs } from '../power/process/process-identity.ts';
import type { GameLines } from './game-lines.ts';
import { startWithSet } from './start-with-set.ts';

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
/** A world save, or a pause of the garbage collector, keeps a healthy game from answering. */
const longestSilenceMs = 30_000;
/** Time to read the log up to the last lines of a crash, or of the previous run. */
const lastLinesMs = 1000;
/** For a game that was stopped on its machine: the agent needs 45 s to tell the owner's wish from a shutdown of the machine. */
const ownStopMs = 60_000;
/** Until an observed end counts as a crash. A game that is still coming up has not been stopped by people. */
const crashMs = 3000;

const whyAgain = 'The game ended with the new mods, and was started again by itself.';

/** Starts the game, and watches whether it comes up and stays up. @throws the reason of `signal` */
export const startAndWatch = async (
  options: Parameters<typeof startWithSet>[0] & {
    readonly power: Pick<Power, 'report' | 'lookNow' | 'runId' | 'actionsBegun' | 'act'>;
    /** Null: the game's console is unknown. */
    readonly console: PowerConsole | null;
    readonly game: Pick<Game, 'listPlayers'>;
    readonly mods: Pick<GameMods, 'isFatal' | 'readModLine'>;
    readonly lines: GameLines;
    /** Removes secrets from a line. */
    readonly maskLine: (line: string) => string;
    readonly watch: HealthWatch;
    readonly onStep: (step: ModStep, done: number, total: number | null) => void;
    readonly silentMs?: number;
  },
): Promise<Health> => {
  const { power, console, game, mods, lines, maskLine, watch, signal, onStep } = options;
  const { pollMs = 250, silentMs = longestSilenceMs } = options;
  // The last lines of the previous run must not count.
  if (!options.isResumed) await waitFor(lastLinesMs, [signal]);
  const last: string[] = [];
  const notes = new Set<string>();
  let fatal: string | null = null;
  using _following = lines.follow(sinceBootMs(), (line) => {
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
    const told = () => {
      const { crashes, lastCrash } = power.report();
      return crashes > 0 ? (lastCrash?.lines ?? []) : [];
    };
    // For a service's crash, only the manager's message is known: the game's own lines are in its log.
    if (told().length <= 1 && fatal === null) await waitFor(lastLinesMs, [signal]);
    signal.throwIfAborted();
    return { is: 'failed', at, why, lines: told().length > 1 ? told() : [...last, ...told()], wasStopped };
  };
  /** Null: nothing has happened to it. */
  const trouble = async (at: ModStep): Promise<Health | null> => {
    let { state, wanted, crashes } = power.report();
    // The crash is counted before its last lines are there.
    if (crashes > 0) ({ state, wanted, crashes } = await power.lookNow());
    // During the countdown of a stop, the game still runs.
    if (wanted === 'stopped' && state === 'stopped')
      return failed(at, 'The game was stopped while it was watched.');
    if (crashes > 0 || ['backing-off', 'crash-looping'].includes(state))
      return failed(at, 'The game crashed with the new mods.');
    return fatal === null ? null : failed(at, `The game says that it cannot come up: ${fatal}`);
  };

  onStep('start', 0, null);
  const fault = await startWithSet(options);
  if (fault !== null) {
    const { why, wasStopped } = fault;
    const hasCrashed = power.report().crashes > 0 || fatal !== null;
    return (hasCrashed && !wasStopped && (await trouble('start'))) || failed('start', why, wasStopped);
  }

  const ask = async (): Promise<CommandOutcome> => {
    if (console === null) return power.report().state === 'running' ? 'answered' : 'unreachable';
    const { outcome } = await console.run(game.listPlayers.command, { timeoutMs: questionMs, signal });
    signal.throwIfAborted();
    return outcome;
  };
  let beganMs = sinceBootMs();
  let actions = power.actionsBegun();
  let run = power.runId();
  /** People have acted on it, so that another run is theirs. */
  let isHandled = false;
  let readyMs: number | null = null;
  let answeredMs = 0;
  let askedMs = 0;
  let endedMs: number | null = null;
  /** Since when its console answers while it is unknown whether it runs. */
  let unknownMs: number | null = null;
  /** Nothing listened at its console any more, although it had answered there. */
  let wasGone = false;
  for (;;) {
    const step: ModStep = readyMs === null ? 'start' : 'watch';
    const found = await trouble(step);
    if (found) return found;
    const { state } = power.report();
    if (power.actionsBegun() !== actions) {
      actions = power.actionsBegun();
      isHandled = true;
    }
    // People are stopping or restarting it: its silence says nothing about its mods.
    if (state === 'stopping') answeredMs = sinceBootMs();
    const now = state === 'running' ? power.runId() : null;
    const isAnother = now !== null && run !== null && now !== run;
    if (isAnother || state === 'starting') {
      if (!isHandled) return failed(step, whyAgain);
      readyMs = null;
      beganMs = sinceBootMs();
      wasGone = false;
    }
    if (now !== null) {
      run = now;
      isHandled = false;
    }
    if (state === 'stopped') {
      // A crash is recognized soon; a stop by its owner on the machine only later.
      endedMs ??= sinceBootMs();
      answeredMs = sinceBootMs();
      if (sinceBootMs() - endedMs >= (readyMs === null ? crashMs : ownStopMs))
        return failed(step, 'The game ended with the new mods.');
    } else endedMs = null;
    const isOver = readyMs !== null && sinceBootMs() - readyMs >= watch.watchSeconds * 1000;
    if (isOver || readyMs === null || sinceBootMs() - askedMs >= betweenQuestionsMs) {
      const outcome = await ask();
      const isAnswering = outcome === 'answered';
      askedMs = sinceBootMs();
      // Restarted by a script that runs all the time, and is itself the process that is seen.
      if (isAnswering && wasGone) return failed('watch', whyAgain);
      wasGone ||= outcome === 'connection refused' && now !== null && readyMs !== null;
      if (isAnswering) {
        answeredMs = askedMs;
        readyMs ??= askedMs;
      }
      if (isOver && isAnswering) {
        // Asked after the watch, and checked after the answer: anything that happened in between is known now.
        const seen = await power.lookNow();
        const isUp = seen.state === 'running' || seen.state === 'stopping';
        if (isUp && power.runId() === run)
          return (await trouble(step)) ?? { is: 'proven', notes: [...notes] };
        unknownMs = seen.state === 'unknown' ? (unknownMs ?? sinceBootMs()) : null;
        if (unknownMs !== null && sinceBootMs() - unknownMs >= silentMs)
          return failed(step, `Whether the game runs cannot be told: ${seen.detail ?? seen.state}`);
      }
    }
    if (readyMs === null && sinceBootMs() - beganMs >= watch.readySeconds * 1000)
      return failed(
        'start',
        console === null
          ? `The game did not come up within ${watch.readySeconds} s of the start.`
          : `The game's console did not answer within ${watch.readySeconds} s of the start.`,
      );
    if (readyMs !== null && sinceBootMs() - answeredMs >= silentMs)
      return failed(
        'watch',
        console === null ? 'The game does not run any more.' : "The game's console does not answer any more.",
      );
    onStep(
      step,
      Math.round((sinceBootMs() - (readyMs ?? beganMs)) / 1000),
      readyMs === null ? watch.readySeconds : watch.watchSeconds,
    );
    await waitFor(pollMs, [signal]);
    signal.throwIfAborted();
  }
};
