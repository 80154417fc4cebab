import type { GameEvent } from '#contracts/agent-protocol.ts';
import type { LogObservation } from '#games/game.ts';
import type { Log } from '#runtime/log.ts';
import { cutText } from './cut-text.ts';

/** Observations, numbered, until the API has written them down. */
export interface EventBuffer {
  add(observation: LogObservation): void;
  /** Those after the number, the oldest first. */
  after(number: number, most: number): GameEvent[];
  /** Every event up to this number is written down. */
  acknowledge(number: number): void;
  acknowledged(): number;
}

const mostEvents = 5000;
const longestName = 200;
const longestId = 100;
const longestText = 2000;

export const createEventBuffer = (log: Log, now: () => number = () => performance.now()): EventBuffer => {
  const kept: (Omit<GameEvent, 'ageMs'> & { readonly seenAtMs: number })[] = [];
  let last = 0;
  let acknowledged = 0;
  let dropped = 0;

  return {
    add(observation) {
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
        seenAtMs: now(),
      });
      if (kept.length <= mostEvents) return;
      kept.shift();
      dropped += 1;
      if (dropped === 1 || dropped % 1000 === 0)
        log.warn({ dropped }, 'the API takes no events; the oldest ones are dropped');
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
  };
};
