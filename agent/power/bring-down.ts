import type { CommandOutcome, CommandResult } from '#contracts/servers/games.ts';
import type { Game } from '#games/game.ts';
import { sleep } from '#runtime/sleep.ts';
import { announcementsOf, announcementText } from './countdown.ts';
import type { PowerTiming } from './power-timing.ts';
import { sinceBootMs } from './process/process-identity.ts';
import type { Sighting, StartWay } from './ways/start-way.ts';

/** The part of the game's console that a stop needs. */
export interface PowerConsole {
  /** Null when the game accepts commands now. */
  obstacle(options: { timeoutMs: number; signal: AbortSignal }): Promise<CommandOutcome | null>;
  run(command: string, options: { timeoutMs: number; signal: AbortSignal }): Promise<CommandResult>;
}

/** The announcement to players before a stop. */
export interface Countdown {
  /** From now on. */
  readonly seconds: number;
  readonly text: string;
  /** Milliseconds since the start of the machine. */
  readonly endMs: number;
  /** An earlier agent has already announced it: it is waited for even if the console is not there yet. */
  readonly isResumed: boolean;
}

/** `notes`: what went wrong, for people. */
type Brought =
  | { readonly is: 'down'; readonly notes: readonly string[] }
  | { readonly is: 'up'; readonly why: string; readonly notes: readonly string[] }
  | { readonly is: 'cancelled' };

const questionMs = 5000;
/** For an agent that has only just started. */
const firstQuestionMs = 30_000;
const speechMs = 5000;
const lookMs = 250;

export const isDown = ({ is }: Sighting): boolean => is === 'ended' || is === 'absent';

/** Announces, saves, shuts down, and ends what does not end without help. @throws the reason of `signal` */
export const bringDown = async (options: {
  readonly way: StartWay;
  readonly game: Pick<Game, 'actions' | 'shutdown'>;
  readonly console: PowerConsole;
  readonly countdown: Countdown | null;
  /** The countdown is over: from here on the stop cannot be cancelled. */
  readonly onCounted: () => Promise<void>;
  readonly timing: PowerTiming;
  /** Aborts the stop wherever it is. */
  readonly signal: AbortSignal;
  /** Cancels it while the countdown runs. */
  readonly cancelled: AbortSignal;
  readonly onStep: (step: string, done: number, total: number | null) => void;
}): Promise<Brought> => {
  const { way, game, console, countdown, onCounted, timing, signal, cancelled, onStep } = options;
  const notes: string[] = [];
  const ask = (command: string, timeoutMs: number) => console.run(command, { timeoutMs, signal });

  let obstacle = await console.obstacle({
    timeoutMs: countdown?.isResumed ? Math.min(firstQuestionMs, countdown.seconds * 1000) : questionMs,
    signal: countdown ? AbortSignal.any([signal, cancelled]) : signal,
  });
  signal.throwIfAborted();
  if (countdown && cancelled.aborted) return { is: 'cancelled' };

  if (countdown && (obstacle === null || countdown.isResumed)) {
    const { seconds, text, endMs } = countdown;
    for (const left of announcementsOf(seconds)) {
      const waitMs = endMs - left * 1000 - sinceBootMs();
      if (waitMs > 0) await waitFor(waitMs, [signal, cancelled]);
      signal.throwIfAborted();
      if (cancelled.aborted) return { is: 'cancelled' };
      onStep(`${left} s until the stop`, seconds - left, seconds);
      const rendered = game.actions.broadcast?.render({ message: announcementText(text, left) });
      // Its answer proves nothing, and the countdown does not wait for it.
      if (rendered && 'command' in rendered) void ask(rendered.command, speechMs);
    }
    await waitFor(endMs - sinceBootMs(), [signal, cancelled]);
    signal.throwIfAborted();
    if (cancelled.aborted) return { is: 'cancelled' };
    await onCounted();
    if (obstacle !== null) obstacle = await console.obstacle({ timeoutMs: questionMs, signal });
    signal.throwIfAborted();
  }
  const hasConsole = obstacle === null;
  if (!hasConsole)
    notes.push(
      `The game's console did not answer (${obstacle}), so that nothing was announced or saved by it.`,
    );

  if (hasConsole && game.actions.save) {
    onStep('The game saves', 0, null);
    const note = await save(game.actions.save, ask, timing.saveMs);
    if (note) notes.push(note);
    signal.throwIfAborted();
  }

  const isGone = async (withinMs: number): Promise<boolean> => {
    const untilMs = sinceBootMs() + withinMs;
    for (;;) {
      signal.throwIfAborted();
      if (isDown(await way.look())) return true;
      if (sinceBootMs() >= untilMs) return false;
      await waitFor(Math.min(lookMs, timing.pollMs), [signal]);
    }
  };

  onStep('The game shuts down', 0, null);
  if (way.takesShutdownCommand) {
    let isGiven = false;
    if (hasConsole) {
      const { sent } = await ask(game.shutdown.command, speechMs);
      isGiven = sent;
    } else if (game.shutdown.isTyped) isGiven = (await way.write?.(game.shutdown.command)) === null;
    if (isGiven && (await isGone(timing.shutdownMs))) return { is: 'down', notes };
    if (isGiven)
      notes.push(`It did not end within ${Math.round(timing.shutdownMs / 1000)} s of its shutdown command.`);
    signal.throwIfAborted();
  }
  const refusal = await way.stop();
  if (refusal !== null && !way.takesShutdownCommand) return { is: 'up', why: refusal, notes };
  if (await isGone(way.takesShutdownCommand ? timing.terminateMs : timing.serviceMs))
    return { is: 'down', notes };
  onStep('The game is killed', 0, null);
  notes.push('It was killed, because it did not end when it was asked to.');
  const fault = await endAtOnce(way, timing, signal);
  return fault === null ? { is: 'down', notes } : { is: 'up', why: fault, notes };
};

/** Kills the game; null when it is gone. @throws the reason of `signal` */
export const endAtOnce = async (
  way: StartWay,
  { killMs, pollMs }: Pick<PowerTiming, 'killMs' | 'pollMs'>,
  signal: AbortSignal,
): Promise<string | null> => {
  const refusal = await way.kill();
  const untilMs = sinceBootMs() + killMs;
  for (;;) {
    const seen = await way.look();
    if (isDown(seen)) return null;
    if (sinceBootMs() >= untilMs)
      return (
        refusal ?? (seen.is === 'unknown' ? seen.detail : 'The game does not end, not even when killed.')
      );
    await waitFor(Math.min(lookMs, pollMs), [signal]);
    signal.throwIfAborted();
  }
};

const save = async (
  action: NonNullable<Game['actions']['save']>,
  ask: (command: string, timeoutMs: number) => Promise<CommandResult>,
  saveMs: number,
): Promise<string | null> => {
  const rendered = action.render({});
  if ('refused' in rendered) return null;
  const { outcome, reply } = await ask(rendered.command, saveMs);
  if (outcome !== 'answered') return `The game did not confirm that it saved (${outcome}).`;
  const { verdict, reason } = action.read(reply ?? '', {});
  return verdict === 'done' ? null : `The game did not confirm that it saved: ${reason}`;
};

/** Resolves early when one of the signals is aborted. */
export const waitFor = async (ms: number, signals: readonly AbortSignal[]): Promise<void> => {
  if (ms <= 0) return;
  await sleep(ms, AbortSignal.any([...signals]));
};
