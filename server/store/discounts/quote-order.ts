import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { DiscountCodeFault } from '#contracts/store/orders.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { type Actor, actorReference } from '../../kernel/access/actor.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import {
  bestOf,
  type DiscountTerms,
  findUnfit,
  findUsedUp,
  type QuotedLine,
  unitPricesWith,
} from './best-discount.ts';
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

interface QuoteRequest {
  readonly payerId: string;
  readonly lines: readonly QuotedLine[];
  /** Null: none was typed. */
  readonly code: string | null;
  readonly actor: Actor;
  readonly now: Date;
  /** Locks what counts its uses until the transaction ends. */
  readonly lock: boolean;
}

export interface OrderQuote {
  /** The one that makes the order cheapest; null: none applies. */
  readonly discount: { readonly id: string; readonly name: string; readonly isByCode: boolean } | null;
  /** Per line, for one piece. */
  readonly unitPrices: readonly number[];
  /** Why the code gives nothing; null: it does, or none was typed. */
  readonly codeFault: DiscountCodeFault | null;
}

/** How often wrong codes were typed lately. */
export type CodeGuesses = ReturnType<typeof createCodeGuesses>;

/** @param now in milliseconds */
export const createCodeGuesses = (now: () => number) => {
  const forMember = createTokenBuckets(codeGuesses.perMember, now);
  const ofCaller = createTokenBuckets(codeGuesses.perCaller, now);
  /** By member: the last wrong code that was typed. */
  const lastWrong = new Map<string, string>();
  return {
    /** A preview that is read repeatedly is one guess. */
    isRepeated: (payerId: string, code: string): boolean => lastWrong.get(payerId) === code,
    waitMs: (payerId: string, caller: string): number =>
      Math.max(forMember.waitMs(payerId), ofCaller.waitMs(caller)),
    take(payerId: string, caller: string): void {
      forMember.take(payerId);
      ofCaller.take(caller);
    },
    giveBack(payerId: string, caller: string): void {
      forMember.giveBack(payerId);
      ofCaller.giveBack(caller);
    },
    remember(payerId: string, code: string): void {
      lastWrong.delete(payerId);
      lastWrong.set(payerId, code);
      const [oldest] = lastWrong.keys();
      if (lastWrong.size > mostRemembered && oldest !== undefined) lastWrong.delete(oldest);
    },
  };
};

const findBest = async (db: Kysely<Tables>, request: QuoteRequest): Promise<OrderQuote> => {
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

/** Finds the discount that makes an order cheapest. A refusal means too many wrong codes. */
export const quoteOrder = async (
  guesses: CodeGuesses,
  db: Kysely<Tables>,
  request: QuoteRequest,
): Promise<OrderQuote | Refusal> => {
  const { code, payerId } = request;
  if (code === null || guesses.isRepeated(payerId, code)) return findBest(db, request);
  const caller = actorReference(request.actor);
  const retryAfterMs = guesses.waitMs(payerId, caller);
  if (retryAfterMs > 0) return { ...refuse('RATE_LIMITED', reasons['wrong-codes']), retryAfterMs };
  guesses.take(payerId, caller);
  const quoted = await findBest(db, request);
  if (quoted.codeFault === 'unknown') guesses.remember(payerId, code);
  else guesses.giveBack(payerId, caller);
  return quoted;
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
