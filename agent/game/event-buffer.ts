import type { GameEvent } from '#contracts/servers/agent-protocol.ts';
import type { LogObservation } from '#games/game.ts';
import type { Log } from '#runtime/log.ts';
import { cutText } from './cut-text.ts';

/** Numbered observations, kept until the API has stored them. */
export interface EventBuffer {
  /** @param ageMs since it happened, if it is read later */
  add(observation: LogObservation, ageMs?: number): void;
  /** Events after the number, oldest first. */
  after(number: number, most: number): GameEvent[];
  /** The API has stored every event up to this number. */
  acknowledge(number: number): void;
  acknowledged(): number;
  /** The number of the newest event; before the first, the number that the numbering started with. */
  last(): number;
}

const mostEvents = 5000;
const longestName = 200;
const longestId = 100;
const longestText = 2000;

/** @param begun the last number that an earlier agent assigned, if its numbering continues */
export const createEventBuffer = (
  log: Log,
  now: () => number = () => performance.now(),
  begun = 0,
): EventBuffer => {
  const kept: (Omit<GameEvent, 'ageMs'> & { readonly seenAtMs: number })[] = [];
  let last = begun;
  let acknowledged = begun;
  let dropped = 0;

  return {
    add(observation, ageMs = 0) {
      last += 1;
      const { kind, player } = observation;
      kept.push({
        number: last,
        kind,
        player: {
          name: cutText(player.name, longestName),
          platformId: player.platformId && cutText(player.platformId, longestId),
        },
        text: observation.kind === 'chat' ? cutText(observation.text, longestText) : null,
        seenAtMs: now() - ageMs,
      });
      if (kept.length <= mostEvents) return;
      kept.shift();
      dropped += 1;
      if (dropped === 1 || dropped % 1000 === 0)
        log.warn({ dropped }, 'the API accepts no events; dropped the oldest ones');
    },
    after: (number, most) =>
      kept
        .filter((event) => event.number > number)
        .slice(0, most)
        .map(({ seenAtMs, ...event }) => ({ ...event, ageMs: Math.max(0, Math.round(now() - seenAtMs)) })),
    acknowledge(number) {
      if (number > last) return;
      acknowledged = Math.max(acknowledged, number);
      while (kept[0] && kept[0].number <= acknowledged) kept.shift();
      if (kept.length === 0) dropped = 0;
    },
    acknowledged: () => acknowledged,
    last: () => last,
  };
};
