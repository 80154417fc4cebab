import { setTimeout as delay } from 'node:timers/promises';
import {
  eldestOnWindows,
  familyOf,
  killFamily,
  type Launched,
  type Member,
  signalMembers,
} from '../process/game-family.ts';
import { ageOfTicksMs, listenOnPort } from '../process/linux-processes.ts';
import { ageMs, type ProcessIdentity, sinceBootMs } from '../process/process-identity.ts';
import type { GameExit } from './holder-record.ts';

/** A start script may first update the game for an hour: what counts is how long before its end the remaining processes started. */
const youngMs = 60_000;
/** For a game whose script exited with a failure. */
const listensWithinMs = 15_000;
/** Between the request to exit and the kill: a game that is mistaken for a leftover can still save. */
const endsWithinMs = 20_000;
const lookMs = 250;

/**
 * The eldest of the processes that a start command left, if they are the game, put into the background; null when there are none,
 * or when they are leftovers of an ended game. A command that was killed has not done its work.
 */
export const gameLeftBehind = async (launched: Launched, exit: GameExit): Promise<Member | null> => {
  if (exit.signal !== null) return null;
  const untilMs = sinceBootMs() + listensWithinMs;
  for (let empty = 0; ; ) {
    const left = await familyOf(launched);
    const [eldest] = left;
    if (!eldest) {
      empty += 1;
      if (empty === 3) return null;
      // A process that becomes another program shows no mark for a moment.
      await delay(lookMs);
      continue;
    }
    if (exit.code === 0 && ageOfTicksMs(eldest.startedTicks) < youngMs) return eldest;
    if (await listenOnPort(left.map(({ pid }) => pid))) return eldest;
    if (exit.code === 0 || sinceBootMs() >= untilMs) return null;
    await delay(lookMs);
  }
};

/** Like `gameLeftBehind`, on Windows, which reveals neither ports nor marks. */
export const gameLeftOnWindows = async (
  game: ProcessIdentity | null,
  exit: GameExit,
): Promise<ProcessIdentity | null> => {
  if (exit.code !== 0) return null;
  const eldest = await eldestOnWindows(game).catch(() => null);
  return eldest !== null && (ageMs(eldest) ?? 0) < youngMs ? eldest : null;
};

/** Ends the remaining processes, in order if they obey. */
export const endRest = async (launched: Launched): Promise<void> => {
  const untilMs = sinceBootMs() + endsWithinMs;
  let left = await familyOf(launched);
  signalMembers(left, 'SIGTERM');
  while (left.length > 0 && sinceBootMs() < untilMs) {
    await delay(lookMs);
    left = await familyOf(launched);
  }
  await killFamily(launched);
};
