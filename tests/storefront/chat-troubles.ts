import { eventually } from '#harness/eventually.ts';
import { pickFrom } from '../bench/harness/seeded-random.ts';
import type { Stall } from './chat-market.ts';
import type { Talk } from './chat-talk.ts';

export const imitator = 'Mallory';
/** What imitators, and players who hear nothing, ask for; no customer does. */
export const imitatedQuantity = 900;
export const unheardQuantity = 800;

export interface Troubles {
  /** One who bears the player's name in the chat asks for something in it, guesses, or types what others typed. */
  imitate(stall: Stall, victim: string): void;
  /** A player whom no private message reaches asks for something, guesses the number, and asks again. */
  askUnheard(stall: Stall, name: string): Promise<void>;
  readonly counts: {
    imitated: number;
    guessed: number;
    /** Questions of purchases that the player never asked for, and left alone. */
    ignored: number;
    /** Whispers that were sent to players whom none reaches. */
    unheard: number;
  };
}

const whisperedMs = 60_000;

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
      const asked = `!buy ${stall.product.shortCode} ${unheardQuantity}`;
      const sent = () => stall.world.received.filter((line) => line.includes(`${unheardQuantity}x Stone`));
      const heard = stall.whispers(name).length;
      stall.deafen(name, true);
      stall.say(name, asked, 'repeated');
      await eventually(() => {
        if (sent().length === 0) throw new Error(`${stall.game} whispers nothing yet`);
      }, whisperedMs);
      stall.say(name, guess(), 'heard');
      stall.say(name, asked, 'heard');
      stall.deafen(name, false);
      if (stall.whispers(name).length > heard) throw new Error(`${stall.game} reached ${name} all the same`);
      counts.unheard += sent().length;
    },
  };
};
