import { setTimeout as delay } from 'node:timers/promises';
import type { Fate, Stall } from './chat-market.ts';
import type { ShopProcess } from './shop-process.ts';

/** The player waits this long for an answer before repeating the line. */
const patienceMs = 8000;
export const pollMs = 20;
export const mostTries = 5;
/** Answers that result from the lines of an imitator. */
export const blocked = /^First answer the question|^Too many wrong numbers/;

export interface Talk {
  fate(): Fate;
  /** The first matching whisper since then. @returns null if none came */
  hear(stall: Stall, name: string, since: number, wanted: RegExp): Promise<RegExpExecArray | null>;
  /** Repeats a line until it is answered. @param onSaid called when the game has it */
  ask(
    stall: Stall,
    name: string,
    text: string,
    wanted: RegExp,
    onSaid?: () => void,
  ): Promise<RegExpExecArray | null>;
  readonly counts: { lost: number; repeated: number };
}

/** Players' dialogue with the shop: lines are lost and repeated, and players who get no answer repeat them. */
export const createTalk = (random: () => number, shop: Pick<ShopProcess, 'readyMs'>): Talk => {
  const counts = { lost: 0, repeated: 0 };
  const talk: Talk = {
    counts,
    fate() {
      const dice = random();
      if (dice < 0.06) counts.lost += 1;
      else if (dice < 0.25) counts.repeated += 1;
      return dice < 0.06 ? 'lost' : dice < 0.25 ? 'repeated' : 'heard';
    },
    async hear(stall, name, since, wanted) {
      const saidMs = performance.now();
      for (;;) {
        const texts = stall.whispers(name).slice(since);
        const found = texts.map((text) => wanted.exec(text)).find((match) => match !== null);
        if (found) return found;
        // A killed API gets the line again after its restart.
        if (performance.now() > Math.max(saidMs, shop.readyMs()) + patienceMs) return null;
        await delay(pollMs);
      }
    },
    async ask(stall, name, text, wanted, onSaid = () => undefined) {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const since = stall.whispers(name).length;
        const way = talk.fate();
        if (way !== 'lost') onSaid();
        stall.say(name, text, way);
        const any = new RegExp(`${wanted.source}|${blocked.source}`);
        const heard = way === 'lost' ? null : await talk.hear(stall, name, since, any);
        if (heard && blocked.test(heard[0])) return null;
        if (heard) return wanted.exec(heard[0]);
      }
      return null;
    },
  };
  return talk;
};
