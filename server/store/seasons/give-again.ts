import { sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { thisMachine } from '../../kernel/access/authorize.ts';
import { isDatabaseUnavailable } from '../../kernel/database/database-fault.ts';
import { isRefusal, refuse } from '../../kernel/http/refusal.ts';
import type { Orders } from '../orders.ts';
import { readSold } from '../sold-products.ts';
import type { StoreContext } from '../store-context.ts';
import { serversOf } from './find-season.ts';

/** With what a season gives again. */
export interface GivingContext extends Pick<StoreContext, 'db' | 'roleFaults' | 'log'> {
  readonly orders: Pick<Orders, 'place' | 'refund'>;
}

/** The actor of a season's own acts: a person has begun it, and no one asks for each step. */
const itself: AuditContext = {
  actor: { ...thisMachine, id: 'seasons', name: 'Castellan' },
  address: '127.0.0.1',
};

interface RegrantStep {
  readonly id: string;
  readonly season_id: string;
  readonly member_id: string;
  readonly product_id: string;
  readonly part: number;
  readonly quantity: number;
  readonly order_id: string | null;
  readonly tries: number;
  /** The member who owns the pieces now. */
  readonly today: string;
  readonly erased_at: Date | null;
  readonly game: string;
  /** Null: every server of the game. */
  readonly scope_server_ids: readonly string[] | null;
}

/** Steps read per statement. */
const mostAtOnce = 100;
/** Orders placed at the same time. */
const abreast = 4;
const resting = { firstMs: 1000, mostMs: 60_000, jitter: 0.2 } as const;

/** Places the orders of a season, and refunds them when it is undone. */
export const createGiveAgain = (context: GivingContext) => {
  const { db, orders, log } = context;
  const readSteps = async (seasonId: string, state: 'waiting' | 'done') => {
    const { rows } = await sql<RegrantStep>`
      select step.id, step.season_id, step.member_id, step.product_id, step.part, step.quantity, step.order_id, step.tries,
             today.id as today, today.erased_at, seasons.game, seasons.scope_server_ids
      from season_steps as step
      join seasons on seasons.id = step.season_id
      join members as today on today.id = castellan_member_today(step.member_id)
      where step.season_id = ${seasonId} and step.state = ${state} and step.kind = 'regrant'
        and step.next_try_at <= now()
      order by step.id limit ${mostAtOnce}`.execute(db);
    return rows;
  };

  const settle = async (
    { id }: RegrantStep,
    from: 'waiting' | 'done',
    changed: { readonly state: 'skipped' | 'undone'; readonly detail: string | null },
  ) => {
    await db
      .updateTable('season_steps')
      .set(changed)
      .where('id', '=', id)
      .where('state', '=', from)
      .execute();
  };
  const restStep = async ({ id, tries }: RegrantStep, detail: string | null) => {
    const wait = backOffDelay(resting, tries + 1, Math.random());
    await db
      .updateTable('season_steps')
      .set({
        tries: tries + 1,
        detail,
        next_try_at: sql<Date>`now() + ${wait}::float8 * interval '1 millisecond'`,
      })
      .where('id', '=', id)
      .execute();
  };

  /** Where a season of some servers delivers: those of them on which the product can be given. */
  const serversFor = async ({ product_id, scope_server_ids }: RegrantStep) => {
    if (scope_server_ids === null) return null;
    const [product] = await readSold(context, db, [product_id], new Date());
    if (!product) return [];
    const servers = await db
      .selectFrom('game_servers')
      .select(['id', 'name', 'cluster_id as clusterId'])
      .where('id', 'in', scope_server_ids)
      .where('archived_at', 'is', null)
      .execute();
    return serversOf(product, servers);
  };

  /** @returns the member who now has deliveries; null: none */
  const give = async (step: RegrantStep): Promise<string | null> => {
    const { season_id, member_id, product_id, part, quantity, today } = step;
    if (step.erased_at !== null) {
      await settle(step, 'waiting', { state: 'skipped', detail: reasons['member-erased'] });
      return null;
    }
    const onServers = await serversFor(step);
    if (onServers?.length === 0) {
      await settle(step, 'waiting', { state: 'skipped', detail: reasons['no-server'] });
      return null;
    }
    const placed = await orders.place(
      { memberId: today, lines: [{ productId: product_id, quantity }], isTest: false },
      // Before regrants could have parts, the key had none.
      `season:${season_id}:${member_id}:${product_id}${part === 1 ? '' : `:${part}`}`,
      itself,
      {
        source: 'season',
        isPaidOutside: true,
        ignoresLimits: true,
        takesStock: false,
        leavesOutRoles: true,
        ...(onServers && { onServers }),
        alongside: async (trx, orderId) => {
          const taken = await trx
            .updateTable('season_steps')
            .set({ state: 'done', order_id: orderId, detail: null })
            .where('id', '=', step.id)
            .where('state', '=', 'waiting')
            .returning('id')
            .executeTakeFirst();
          return taken ? null : refuse('CONFLICT', reasons['season-step-done']);
        },
      },
    );
    if (!isRefusal(placed)) return today;
    // With the first three, another process carries it out, or the member is being merged. The next round sees the result.
    if (['CONFLICT', 'IDEMPOTENCY_MISMATCH', 'MEMBER_GONE'].includes(placed.refused))
      await restStep(step, null);
    else await settle(step, 'waiting', { state: 'skipped', detail: placed.detail ?? placed.refused });
    return null;
  };

  const takeBack = async (step: RegrantStep): Promise<string | null> => {
    const refunded = step.order_id === null ? null : await orders.refund(step.order_id, null, itself);
    if (isRefusal(refunded)) await restStep(step, refunded.detail ?? refunded.refused);
    else await settle(step, 'done', { state: 'undone', detail: null });
    return null;
  };

  /** A step that fails rests, so that it does not hold up others. */
  const attempt = async (step: RegrantStep, work: (step: RegrantStep) => Promise<string | null>) => {
    try {
      return await work(step);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      log.error({ err: error, stepId: step.id }, 'a season step failed; will retry');
      await restStep(step, reasons['step-failed']);
      return null;
    }
  };

  /** @returns how many steps were processed, and which members now have deliveries */
  const round =
    (state: 'waiting' | 'done', work: (step: RegrantStep) => Promise<string | null>) =>
    async (seasonId: string, mayGoOn: () => boolean) => {
      const steps = await readSteps(seasonId, state);
      const memberIds = new Set<string>();
      for (let from = 0; from < steps.length && mayGoOn(); from += abreast) {
        const made = await Promise.all(steps.slice(from, from + abreast).map((step) => attempt(step, work)));
        for (const memberId of made) if (memberId !== null) memberIds.add(memberId);
      }
      return { steps: steps.length, memberIds };
    };

  return { give: round('waiting', give), takeBack: round('done', takeBack) };
};
