import { pickFrom } from '../bench/harness/seeded-random.ts';
import type { Stall } from './chat-market.ts';
import { mostTries, type Talk } from './chat-talk.ts';

/** A price that a player has agreed to, by their own line or by typing the confirmation number. */
export interface Consent {
  readonly memberId: string;
  readonly productId: string;
  readonly quantity: number;
  readonly total: number;
  /** The game has shown the player that the purchase was made. */
  isAnswered: boolean;
}

export interface CustomersOptions {
  readonly talk: Talk;
  readonly random: () => number;
  /** Called right after a line that spends points was said. */
  readonly onSpending: () => void;
}

export interface Customers {
  /**
   * One player buys once, or changes their mind. @param elsewhere another server that the player is on, too
   * @returns whether the player was told that the purchase was made
   */
  buy(stall: Stall, name: string, elsewhere?: Stall): Promise<boolean>;
  readonly consents: readonly Consent[];
  /** Numbers that appeared in the public chat. */
  readonly spoken: readonly string[];
  readonly counts: {
    confirmed: number;
    declined: number;
    repriced: number;
    /** Numbers that were typed on another server than the one that whispered them. */
    crossed: number;
    /** Given up: too many lines at the same time, an imitator's open question, or a lost answer. */
    gaveUp: number;
  };
}

const question =
  /^(?:The price has changed\. )?(?:(\d+)x )?Stone: (\d+) points(?: now)?\. To buy it, type !buy (\d{6})$/;
const bought = /^(?:Bought|Already bought:) (?:(\d+)x )?Stone for (\d+) points\./;
const listed = /\) Stone \(\w+\) (\d+)/;

type ConsentOf = (total: number) => Consent;

export const createCustomers = ({ talk, random, onSpending }: CustomersOptions): Customers => {
  const consents: Consent[] = [];
  const spoken: string[] = [];
  const counts = { confirmed: 0, declined: 0, repriced: 0, crossed: 0, gaveUp: 0 };
  const gaveUp = () => {
    counts.gaveUp += 1;
    return false;
  };

  /** @param own a question about what this player asked for */
  const confirm = async (
    stall: Stall,
    name: string,
    asked: RegExpExecArray,
    { consentOf, own }: { readonly consentOf: ConsentOf; readonly own: RegExp },
  ): Promise<boolean> => {
    const [, , total = '', number = ''] = asked;
    const consent = consentOf(Number(total));
    if (random() < 0.1) await stall.reprice(5 + Math.floor(random() * 20));
    for (let tries = 0; tries < mostTries && !consent.isAnswered; tries += 1) {
      const since = stall.whispers(name).length;
      const way = talk.fate();
      const typed = `!buy ${number}`;
      spoken.push(typed);
      if (!consents.includes(consent)) consents.push(consent);
      stall.say(name, typed, way);
      onSpending();
      const answers = new RegExp(`${bought.source}|${own.source}|wrong or too old`);
      const heard = way === 'lost' ? null : await talk.hear(stall, name, since, answers);
      if (!heard) continue;
      if (bought.exec(heard[0])?.[2] === total) consent.isAnswered = true;
      // Not an imitator's question. A killed API asks again, with another number.
      const last = stall.whispers(name).findLast((text) => own.test(text)) ?? '';
      const again = own.exec(last);
      if (!consent.isAnswered && again && again[3] !== number) {
        counts.repriced += 1;
        return confirm(stall, name, again, { consentOf, own });
      }
    }
    if (!consent.isAnswered) return gaveUp();
    counts.confirmed += 1;
    return true;
  };

  const buyByName = async (
    stall: Stall,
    name: string,
    typed: string,
    terms: { readonly consentOf: ConsentOf; readonly own: RegExp; readonly elsewhere: Stall | undefined },
  ): Promise<boolean> => {
    const asked = await talk.ask(stall, name, typed, terms.own);
    if (!asked) return gaveUp();
    if (random() < 0.1) {
      counts.declined += 1;
      return false;
    }
    if (terms.elsewhere && random() < 0.5) {
      counts.crossed += 1;
      terms.elsewhere.say(name, `!buy ${asked[3]}`, 'heard');
    }
    return confirm(stall, name, asked, terms);
  };

  /** Each line agrees to the last shown price; at another price the shop asks for confirmation. */
  const buyById = async (
    stall: Stall,
    name: string,
    typed: string,
    { quantity, consentOf, own }: { readonly quantity: number; consentOf: ConsentOf; own: RegExp },
  ): Promise<boolean> => {
    if (!(await talk.ask(stall, name, '!shop', listed))) return gaveUp();
    const agree = () => {
      const last = stall.whispers(name).findLast((text) => listed.test(text));
      consents.push(consentOf(Number(listed.exec(last ?? '')?.[1]) * quantity));
      onSpending();
    };
    const heard = await talk.ask(stall, name, typed, new RegExp(`${bought.source}|${own.source}`), agree);
    if (!heard) return gaveUp();
    const asked = own.exec(heard[0]);
    if (asked) {
      counts.repriced += 1;
      return confirm(stall, name, asked, { consentOf, own });
    }
    const paid = Number(bought.exec(heard[0])?.[2]);
    const { memberId } = consentOf(0);
    const agreed = consents.find((one) => one.memberId === memberId && one.total === paid);
    if (agreed) agreed.isAnswered = true;
    counts.confirmed += 1;
    return true;
  };

  return {
    consents,
    spoken,
    counts,
    async buy(stall, name, elsewhere) {
      const quantity = 1 + Math.floor(random() * 9);
      const memberId = stall.members.get(name);
      if (memberId === undefined) throw new Error(`${name} is no member`);
      const { product, isProven } = stall;
      const code = pickFrom([product.shortCode ?? '', `${product.shortCode}`.toLowerCase(), 'stone'], random);
      const typed = pickFrom([`!buy ${code} ${quantity}`, `！BUY  §a${code} x${quantity}`], random);
      const terms = { memberId, productId: product.id, quantity };
      const consentOf = (total: number): Consent => ({ ...terms, total, isAnswered: false });
      const own = new RegExp(
        question.source.replace('(?:(\\d+)x )?', quantity === 1 ? '()' : `(${quantity})x `),
      );
      return isProven
        ? buyById(stall, name, typed, { quantity, consentOf, own })
        : buyByName(stall, name, typed, { consentOf, own, elsewhere });
    },
  };
};
