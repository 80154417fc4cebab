import type { Kysely } from 'kysely';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { actorReference } from '../access/actor.ts';
import { storableText } from '../database/storable-text.ts';
import type { Tables } from '../database/tables.ts';
import { refuse } from '../http/refusal.ts';
import type { QuoteOrder, QuoteRequest } from '../store-terms/order-quote.ts';
import { bestOf, type DiscountTerms, findUnfit, findUsedUp, unitPricesWith } from './best-discount.ts';
import { codeKey, readUses, selectDiscounts, termsOf } from './discount-rows.ts';

/** Codes that are wrong, in a row and over time. A caller may be a shop that serves many members. */
export const codeGuesses = {
  perMember: { capacity: 10, refillMs: 60_000 },
  perCaller: { capacity: 100, refillMs: 6_000 },
} as const;

const longestKey = 64;
const mostRemembered = 10_000;
const isCounted = ({ mostUses, mostPerMember }: DiscountTerms): boolean =>
  mostUses !== null || mostPerMember !== null;

/** @param now in milliseconds */
export const createQuoteOrder = (now: () => number = Date.now): QuoteOrder => {
  const guessesForMember = createTokenBuckets(codeGuesses.perMember, now);
  const guessesOfCaller = createTokenBuckets(codeGuesses.perCaller, now);
  /** By member: the wrong code that was typed last. */
  const lastWrong = new Map<string, string>();

  /** Those without a code, and the one of this code. With `lock`, no other order counts meanwhile those that are counted. */
  const readCandidates = async (
    db: Kysely<Tables>,
    { code, lock }: QuoteRequest,
  ): Promise<readonly DiscountTerms[]> => {
    const key = code === null ? null : storableText(codeKey(code), longestKey);
    const locked = new Set<string>();
    for (;;) {
      const found = await selectDiscounts(db)
        .where((where) =>
          where.or([
            where.and([where('code_key', 'is', null), where('is_enabled', '=', true)]),
            ...(key === null ? [] : [where('code_key', '=', key)]),
          ]),
        )
        .orderBy('number')
        .execute();
      const candidates = found.map(termsOf);
      const unlocked = candidates.filter((one) => isCounted(one) && !locked.has(one.id));
      if (!lock || unlocked.length === 0) return candidates;
      const ids = unlocked.map(({ id }) => id);
      await db
        .selectFrom('discounts')
        .select('id')
        .where('id', 'in', ids)
        .orderBy('id')
        .forUpdate()
        .execute();
      // Read again: it may have changed during the wait.
      for (const id of ids) locked.add(id);
    }
  };

  const quote = async (db: Kysely<Tables>, request: QuoteRequest) => {
    const { payerId, lines, code } = request;
    const candidates = await readCandidates(db, request);
    if (candidates.length === 0)
      return {
        discount: null,
        unitPrices: unitPricesWith(null, lines),
        codeFault: code === null ? null : ('unknown' as const),
      };
    const needsRoles = candidates.some(({ roleIds }) => roleIds.length > 0);
    const roleIds = needsRoles ? await readRoles(db, payerId) : [];
    const terms = { lines, roleIds, now: request.now };
    const countedIds = candidates.filter(isCounted).map(({ id }) => id);
    const uses = await readUses(db, countedIds, payerId);
    const judged = candidates.map((discount) => ({
      discount,
      fault:
        findUnfit(discount, terms) ?? findUsedUp(discount, uses.get(discount.id) ?? { all: 0, ofPayer: 0 }),
    }));
    const best = bestOf(
      judged.filter(({ fault }) => fault === null).map(({ discount }) => discount),
      lines,
    );
    const ofCode = judged.find(({ discount }) => discount.hasCode);
    return {
      discount: best && { id: best.id, name: best.name, isByCode: best.hasCode },
      unitPrices: unitPricesWith(best, lines),
      codeFault: code === null ? null : ofCode ? ofCode.fault : ('unknown' as const),
    };
  };

  /** A preview that is read again and again is one guess. */
  const isRepeated = ({ payerId, code }: QuoteRequest) => code !== null && lastWrong.get(payerId) === code;

  return async (db, request) => {
    const { code, payerId } = request;
    if (code === null || isRepeated(request)) return quote(db, request);
    const caller = actorReference(request.actor);
    const retryAfterMs = Math.max(guessesForMember.waitMs(payerId), guessesOfCaller.waitMs(caller));
    if (retryAfterMs > 0)
      return { ...refuse('RATE_LIMITED', 'Too many wrong codes. Try again later.'), retryAfterMs };
    guessesForMember.take(payerId);
    guessesOfCaller.take(caller);
    const quoted = await quote(db, request);
    if (quoted.codeFault === 'unknown') {
      lastWrong.delete(payerId);
      lastWrong.set(payerId, code);
      const [oldest] = lastWrong.keys();
      if (lastWrong.size > mostRemembered && oldest !== undefined) lastWrong.delete(oldest);
      return quoted;
    }
    guessesForMember.giveBack(payerId);
    guessesOfCaller.giveBack(caller);
    return quoted;
  };
};

/** The member's roles on the Discord server, as the bot told last; none after they left it. */
const readRoles = async (db: Kysely<Tables>, memberId: string): Promise<readonly string[]> => {
  const row = await db
    .selectFrom('members')
    .innerJoin('discord_guild_members as account', 'account.discord_id', 'members.discord_id')
    .select('account.role_ids')
    .where('members.id', '=', memberId)
    .where('account.left_at', 'is', null)
    .executeTakeFirst();
  return row?.role_ids ?? [];
};
