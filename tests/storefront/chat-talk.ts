import { setTimeout as delay } from 'node:timers/promises';
import type { Fate, Stall } from './chat-market.ts';
import type { ShopProcess } from './shop-process.ts';

/** Until the game counts as one that has heard too much at once. */
const patienceMs = 8000;
export const pollMs = 20;
export const mostTries = 5;
/** By what one did who bears the player's name. */
export const blocked = /^First answer the question|^Too many wrong numbers/;

export interface Talk {
  fate(): Fate;
  /** The first whisper since then that matches. @returns null: none came */
  hear(stall: Stall, name: string, since: number, wanted: RegExp): Promise<RegExpExecArray | null>;
  /** Says it until it is answered. @param onSaid when the game has it */
  ask(
    stall: Stall,
    name: string,
    text: string,
    wanted: RegExp,
    onSaid?: () => void,
  ): Promise<RegExpExecArray | null>;
  readonly counts: { lost: number; repeated: number };
}

/** How players talk with the shop: lines are lost and repeated, and players who hear nothing say it again. */
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
        // An API that was killed meanwhile hears it again.
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
