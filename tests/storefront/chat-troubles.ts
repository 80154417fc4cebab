import { setTimeout as delay } from 'node:timers/promises';
import { pickFrom } from '../bench/harness/seeded-random.ts';
import type { Stall } from './chat-market.ts';
import { mostTries, pollMs, type Talk } from './chat-talk.ts';

export const imitator = 'Mallory';
/** A quantity that only imitators and unreachable players ask for, never a customer. */
export const imitatedQuantity = 900;
export const unheardQuantity = 800;

export interface Troubles {
  /** An imitator with the player's name in the chat asks for something, guesses, or types what others typed. */
  imitate(stall: Stall, victim: string): void;
  /** A player whom no private message reaches asks for something and guesses the number. */
  askUnheard(stall: Stall, name: string): Promise<void>;
  readonly counts: {
    imitated: number;
    guessed: number;
    /** Questions about purchases that the player never asked for and ignored. */
    ignored: number;
    /** Whispers that were sent to unreachable players. */
    unheard: number;
  };
}

/** Longer than an answer waits after one that the game drops. */
const whisperedMs = 30_000;

export const createTroubles = (
  random: () => number,
  { talk, spoken }: { readonly talk: Talk; readonly spoken: readonly string[] },
): Troubles => {
  const counts = { imitated: 0, guessed: 0, ignored: 0, unheard: 0 };
  const guess = () => `!buy ${String(Math.floor(random() * 1_000_000)).padStart(6, '0')}`;

  return {
    counts,
    imitate(stall, victim) {
      stall.world.nicknames.set(imitator, victim);
      const guessed = guess();
      const asked = `!buy ${stall.product.shortCode} ${imitatedQuantity}`;
      const text = pickFrom([asked, guessed, pickFrom([...spoken, '!points'], random)], random);
      if (text === guessed) counts.guessed += 1;
      else counts.imitated += 1;
      stall.say(imitator, text, talk.fate());
      const own = stall.whispers(victim).filter((told) => told.startsWith(`${imitatedQuantity}x`));
      counts.ignored = Math.max(counts.ignored, own.length);
    },

    async askUnheard(stall, name) {
      const heard = stall.whispers(name).length;
      /** Repeats the line until the game was asked to whisper the answer, since a killed API may have missed the line. */
      const ask = async (text: string, answer: RegExp) => {
        const sent = () => stall.world.received.filter((line) => answer.test(line)).length;
        for (let tries = 0; tries < mostTries && sent() === 0; tries += 1) {
          stall.say(name, text, 'repeated');
          for (const untilMs = performance.now() + whisperedMs; performance.now() < untilMs; ) {
            if (sent() > 0) break;
            await delay(pollMs);
          }
        }
        counts.unheard += sent();
      };
      stall.deafen(name, true);
      const asked = `!buy ${stall.product.shortCode} ${unheardQuantity}`;
      // An API that was killed before the whisper leaves the question open.
      await ask(asked, new RegExp(`${unheardQuantity}x Stone|First answer the question`));
      await ask(guess(), /wrong or too old/);
      stall.deafen(name, false);
      if (stall.whispers(name).length > heard) throw new Error(`${stall.game} reached ${name} all the same`);
    },
  };
};
