import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { DiscountCodeFault } from '#contracts/store/orders.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { actorReference } from '../../kernel/access/actor.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { refuse } from '../../kernel/http/refusal.ts';
import type { QuoteOrder, QuoteRequest } from '../store-terms/order-quote.ts';
import { bestOf, type DiscountTerms, findUnfit, findUsedUp, unitPricesWith } from './best-discount.ts';
import { codeKey, countUses, selectDiscounts, termsOf } from './discount-rows.ts';

/** Budget for wrong codes, in a row and over time. A caller may be a shop that serves many members. */
const codeGuesses = {
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
  /** By member: the last wrong code that was typed. */
  const lastWrong = new Map<string, string>();

  const quote = async (db: Kysely<Tables>, request: QuoteRequest) => {
    const { payerId, lines, code } = request;
    const candidates = await readCandidates(db, request);
    const counted = candidates.flatMap(({ discount, unfit }) => (unfit === null ? [discount] : []));
    const uses = await countUses(db, counted.filter(isCounted), payerId);
    const judged = candidates.map(({ discount, unfit }) => ({
      discount,
      fault: unfit ?? findUsedUp(discount, uses.get(discount.id) ?? { all: 0, ofPayer: 0 }),
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

  /** A preview that is read repeatedly is one guess. */
  const isRepeated = ({ payerId, code }: QuoteRequest) => code !== null && lastWrong.get(payerId) === code;

  return async (db, request) => {
    const { code, payerId } = request;
    if (code === null || isRepeated(request)) return quote(db, request);
    const caller = actorReference(request.actor);
    const retryAfterMs = Math.max(guessesForMember.waitMs(payerId), guessesOfCaller.waitMs(caller));
    if (retryAfterMs > 0) return { ...refuse('RATE_LIMITED', reasons['wrong-codes']), retryAfterMs };
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

interface Candidate {
  readonly discount: DiscountTerms;
  /** Why it does not apply, regardless of how often it was used; null: it does. */
  readonly unfit: DiscountCodeFault | null;
}

/** The discounts without a code, and the one with this code. With `lock`, no other order counts the applicable ones in the meantime. */
const readCandidates = async (
  db: Kysely<Tables>,
  { payerId, lines, code, now, lock }: QuoteRequest,
): Promise<readonly Candidate[]> => {
  const key = code === null ? null : storableText(codeKey(code), longestKey);
  let roles: readonly string[] | null = null;
  const locked = new Set<string>();
  for (;;) {
    const rows = await selectDiscounts(db)
      .where((where) =>
        where.or([
          where.and([where('code_key', 'is', null), where('is_enabled', '=', true)]),
          ...(key === null ? [] : [where('code_key', '=', key)]),
        ]),
      )
      .orderBy('number')
      .execute();
    const found = rows.map(termsOf);
    if (found.some(({ roleIds }) => roleIds.length > 0)) roles ??= await readRoles(db, payerId);
    const terms = { lines, roleIds: roles ?? [], now };
    const candidates = found.map((discount) => ({ discount, unfit: findUnfit(discount, terms) }));
    const wanted = candidates.filter(
      ({ discount, unfit }) => unfit === null && isCounted(discount) && !locked.has(lockOf(discount)),
    );
    if (!lock || wanted.length === 0) return candidates;
    await lockUses(
      db,
      wanted.map(({ discount }) => discount),
      payerId,
    );
    // Read again: it may have changed during the wait.
    for (const { discount } of wanted) locked.add(lockOf(discount));
  }
};

const lockOf = ({ id, mostUses }: DiscountTerms): string => `${mostUses === null ? 'payer' : 'all'} ${id}`;

/** Only this member's orders count the uses of one member, and others do not wait for them. */
const lockUses = async (
  db: Kysely<Tables>,
  discounts: readonly DiscountTerms[],
  payerId: string,
): Promise<void> => {
  const [ofAll, ofPayer] = [
    discounts.filter(({ mostUses }) => mostUses !== null).map(({ id }) => id),
    discounts.filter(({ mostUses }) => mostUses === null).map(({ id }) => id),
  ];
  if (ofAll.length > 0)
    await db
      .selectFrom('discounts')
      .select('id')
      .where('id', 'in', ofAll)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
  if (ofPayer.length > 0)
    await sql`
      select pg_advisory_xact_lock(hashtextextended('discount:' || id || ':' || ${payerId}::text, 0))
      from unnest(${ofPayer.toSorted()}::text[]) as id`.execute(db);
};

/** The member's roles on the Discord server, as the bot last reported them; none after they left it. */
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
