import { eventually } from '#harness/eventually.ts';
import { pickFrom } from '../bench/harness/seeded-random.ts';
import type { Fate, Stall } from './chat-market.ts';

/** What a player has agreed to pay, by their own line or by the number that they typed back. */
export interface Consent {
  readonly memberId: string;
  readonly productId: string;
  readonly quantity: number;
  readonly total: number;
  /** The game has shown the player that it was bought. */
  isAnswered: boolean;
}

export interface Counts {
  confirmed: number;
  declined: number;
  lost: number;
  repeated: number;
  imitated: number;
  guessed: number;
  repriced: number;
  /** Questions of purchases that the player never asked for, and left alone. */
  ignored: number;
  /** Given up: too many lines at once, or an imitator's question stood in the way. */
  gaveUp: number;
}

export interface Customers {
  /** One player buys once, or changes their mind. */
  buy(stall: Stall, name: string): Promise<void>;
  /** One who bears the player's name in the chat asks for something in it, guesses, or types what others typed. */
  imitate(stall: Stall, victim: string): Promise<void>;
  readonly consents: readonly Consent[];
  readonly counts: Counts;
}

export const imitator = 'Mallory';
/** What imitators ask for; no customer does. */
export const imitatedQuantity = 900;

const question =
  /^(?:The price has changed\. )?(?:(\d+)x )?Stone: (\d+) points(?: now)?\. To buy it, type !buy (\d{6})$/;
/** By what one did who bears the player's name. */
const blocked = /^First answer the question|^Too many wrong numbers/;
const bought = /^Bought (?:(\d+)x )?Stone for (\d+) points\./;
const listed = /\) Stone \(\w+\) (\d+)/;
/** Until the game counts as one that has heard too much at once. */
const patienceMs = 8000;
const mostTries = 5;

export const createCustomers = (random: () => number): Customers => {
  const consents: Consent[] = [];
  const counts: Counts = {
    confirmed: 0,
    declined: 0,
    lost: 0,
    repeated: 0,
    imitated: 0,
    guessed: 0,
    repriced: 0,
    ignored: 0,
    gaveUp: 0,
  };
  /** Numbers that stood in the chat of all. */
  const spoken: string[] = [];

  const fate = (): Fate => {
    const dice = random();
    if (dice < 0.06) counts.lost += 1;
    else if (dice < 0.25) counts.repeated += 1;
    return dice < 0.06 ? 'lost' : dice < 0.25 ? 'repeated' : 'heard';
  };

  /** The first whisper since then that matches. @returns null: none came */
  const hear = async (stall: Stall, name: string, since: number, wanted: RegExp) => {
    try {
      return await eventually(() => {
        const found = stall
          .whispers(name)
          .slice(since)
          .map((text) => wanted.exec(text))
          .find((match) => match !== null);
        if (!found) throw new Error('nothing was said yet');
        return found;
      }, patienceMs);
    } catch {
      return null;
    }
  };

  /** Says it until it is answered. @param onHeard when the game has heard it */
  const ask = async (
    stall: Stall,
    name: string,
    text: string,
    wanted: RegExp,
    onHeard: () => void = () => undefined,
  ) => {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const since = stall.whispers(name).length;
      const way = fate();
      if (way !== 'lost') onHeard();
      await stall.say(name, text, way);
      const any = new RegExp(`${wanted.source}|${blocked.source}`);
      const heard = way === 'lost' ? null : await hear(stall, name, since, any);
      if (heard && blocked.test(heard[0])) return null;
      if (heard) return wanted.exec(heard[0]);
    }
    return null;
  };

  const confirm = async (
    stall: Stall,
    name: string,
    asked: RegExpExecArray,
    consentOf: (total: number) => Consent,
    own: RegExp,
  ): Promise<void> => {
    const [, , total = '', number = ''] = asked;
    const consent = consentOf(Number(total));
    if (random() < 0.1) await stall.reprice(5 + Math.floor(random() * 20));
    for (let tries = 0; tries < mostTries && !consent.isAnswered; tries += 1) {
      const since = stall.whispers(name).length;
      const way = fate();
      const typed = `!buy ${number}`;
      spoken.push(typed);
      if (!consents.includes(consent)) consents.push(consent);
      await stall.say(name, typed, way);
      const heard =
        way === 'lost'
          ? null
          : await hear(stall, name, since, new RegExp(`${bought.source}|${own.source}|wrong or too old`));
      if (!heard) continue;
      if (bought.exec(heard[0])?.[2] === total) consent.isAnswered = true;
      // Not one that an imitator has asked for.
      const again = own.exec(heard[0]);
      if (again) {
        counts.repriced += 1;
        return confirm(stall, name, again, consentOf, own);
      }
    }
    if (consent.isAnswered) counts.confirmed += 1;
    else counts.gaveUp += 1;
  };

  return {
    consents,
    counts,
    async buy(stall, name) {
      const quantity = 1 + Math.floor(random() * 9);
      const memberId = stall.members.get(name);
      if (memberId === undefined) throw new Error(`${name} is no member`);
      const { product, isProven } = stall;
      const code = pickFrom([product.shortCode ?? '', `${product.shortCode}`.toLowerCase(), 'stone'], random);
      const typed = pickFrom([`!buy ${code} ${quantity}`, `！BUY  §a${code} x${quantity}`], random);
      const consentOf = (total: number): Consent => ({
        memberId,
        productId: product.id,
        quantity,
        total,
        isAnswered: false,
      });
      const own = new RegExp(
        question.source.replace('(?:(\\d+)x )?', quantity === 1 ? '()' : `(${quantity})x `),
      );
      if (!isProven) {
        const asked = await ask(stall, name, typed, own);
        if (!asked) counts.gaveUp += 1;
        else if (random() < 0.1) counts.declined += 1;
        else await confirm(stall, name, asked, consentOf, own);
        return;
      }
      const shown = await ask(stall, name, '!shop', listed);
      if (!shown) {
        counts.gaveUp += 1;
        return;
      }
      // Each line agrees to the price that was shown last; at another one it is asked back.
      const agree = () => {
        const last = stall.whispers(name).findLast((text) => listed.test(text));
        consents.push(consentOf(Number(listed.exec(last ?? '')?.[1]) * quantity));
      };
      const heard = await ask(stall, name, typed, new RegExp(`${bought.source}|${own.source}`), agree);
      if (!heard) {
        counts.gaveUp += 1;
        return;
      }
      const asked = own.exec(heard[0]);
      if (!asked) {
        const paid = Number(bought.exec(heard[0])?.[2]);
        const agreed = consents.find((one) => one.memberId === memberId && one.total === paid);
        if (agreed) agreed.isAnswered = true;
        counts.confirmed += 1;
        return;
      }
      counts.repriced += 1;
      await confirm(stall, name, asked, consentOf, own);
    },

    async imitate(stall, victim) {
      stall.world.nicknames.set(imitator, victim);
      const number = String(Math.floor(random() * 1_000_000)).padStart(6, '0');
      const text = pickFrom(
        [
          `!buy ${stall.product.shortCode} ${imitatedQuantity}`,
          `!buy ${number}`,
          pickFrom([...spoken, '!points'], random),
        ],
        random,
      );
      if (text.endsWith(number)) counts.guessed += 1;
      else counts.imitated += 1;
      await stall.say(imitator, text, fate());
      const own = stall.whispers(victim).filter((told) => told.startsWith(`${imitatedQuantity}x`));
      counts.ignored = Math.max(counts.ignored, own.length);
    },
  };
};
