import { createId } from '@paralleldrive/cuid2';
import { type Kysely, sql, type Transaction } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type {
  NewSeason,
  Season,
  SeasonDetails,
  SeasonPlan,
  SeasonPreview,
} from '#contracts/store/seasons.ts';
import { actorReference } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Page, PageQuery } from '../../kernel/logs/older-page.ts';
import type { StoreContext } from '../store-context.ts';
import { type FoundSeason, findSeason } from './find-season.ts';
import { readSeason, readSeasons } from './read-seasons.ts';
import { createSeasonRunner } from './season-runner.ts';
import { previewUndo, undoSeason } from './undo-season.ts';

/** One snapshot for everything that is read, so that the results are consistent. */
const inOneSnapshot = (trx: Transaction<Tables>) =>
  sql`set transaction isolation level repeatable read`.execute(trx);

type FindingContext = Pick<StoreContext, 'db' | 'roleFaults' | 'now'>;

const previewSeason = (context: FindingContext, plan: SeasonPlan): Promise<SeasonPreview | Refusal> =>
  context.db.transaction().execute(async (trx) => {
    await inOneSnapshot(trx);
    const found = await findSeason(context, trx, plan);
    return isRefusal(found) ? found : found.preview;
  });

/** Writes a season with all its steps, if the same is found as was shown. @returns its id */
const beginSeason = (
  context: FindingContext,
  { name, announcement, digest, ...plan }: NewSeason,
  by: AuditContext,
): Promise<{ readonly id: string } | Refusal> =>
  retryDeadlocks(context.db, async (trx) => {
    await inOneSnapshot(trx);
    // Before the snapshot is taken, so that two concurrent beginnings see each other.
    await sql`lock table seasons in share row exclusive mode`.execute(trx);
    const atWork = await trx
      .selectFrom('seasons')
      .select('name')
      .where('state', 'in', ['running', 'undoing'])
      .executeTakeFirst();
    if (atWork) return refuse('CONFLICT', reasons['season-busy'](atWork.name));
    const found = await findSeason(context, trx, plan);
    if (isRefusal(found)) return found;
    if (found.preview.digest !== digest) return refuse('CONFLICT', reasons['season-stale']);
    const id = createId();
    const { actor } = by;
    await trx
      .insertInto('seasons')
      .values({
        id,
        name,
        game: plan.game,
        cluster_ids: plan.clusterIds,
        server_ids: plan.serverIds,
        scope_server_ids: found.scopeServerIds && [...found.scopeServerIds],
        began_at: plan.wipedAt === null ? sql<Date>`now()` : new Date(plan.wipedAt),
        balances: JSON.stringify(plan.balances),
        announcement: JSON.stringify(announcement),
        actor: actorReference(actor),
        actor_name: actor.name,
      })
      .execute();
    await writeSteps(trx, id, found);
    const members = new Set([...found.regrants, ...found.balances].map(({ memberId }) => memberId)).size;
    const pieces = found.regrants.reduce((sum, { quantity }) => sum + quantity, 0);
    const points = found.preview.balances.taken;
    await recordAudit(trx, {
      ...by,
      action: 'seasons.begin',
      target: `season:${id}`,
      after: { name, ...plan, announcement, members, pieces, points },
    });
    await recordEvent(trx, 'season.began', {
      name,
      game: plan.game,
      by: actor.name,
      members,
      pieces,
      announcement,
    });
    return { id };
  });

const writeSteps = async (
  trx: Kysely<Tables>,
  seasonId: string,
  { balances, limitProductIds, regrants }: FoundSeason,
): Promise<void> => {
  await sql`
    insert into season_steps (season_id, kind, member_id, points)
    select ${seasonId}, 'balance', member_id, points
    from unnest(
      ${balances.map(({ memberId }) => memberId)}::bigint[], ${balances.map(({ taken }) => taken)}::bigint[]
    ) as balance (member_id, points)`.execute(trx);
  await sql`
    insert into season_steps (season_id, kind, product_id)
    select ${seasonId}, 'limit', unnest(${[...limitProductIds]}::text[])`.execute(trx);
  await sql`
    insert into season_steps (season_id, kind, member_id, product_id, part, quantity)
    select ${seasonId}, 'regrant', member_id, product_id, part, quantity
    from unnest(
      ${regrants.map(({ memberId }) => memberId)}::bigint[],
      ${regrants.map(({ productId }) => productId)}::text[],
      ${regrants.map(({ part }) => part)}::integer[],
      ${regrants.map(({ quantity }) => quantity)}::integer[]
    ) as regrant (member_id, product_id, part, quantity)`.execute(trx);
};

/** What a wipe takes, resets and gives again. */
export type Seasons = ReturnType<typeof createSeasons>;

export const createSeasons = (
  context: Parameters<typeof createSeasonRunner>[0] & Pick<StoreContext, 'memberNames' | 'now'>,
  lookMs?: number,
) => {
  const { db, memberNames } = context;
  const runner = createSeasonRunner(context, lookMs);
  const read = async (id: string): Promise<SeasonDetails | Refusal> =>
    (await readSeason(db, id, memberNames)) ?? refuse('NOT_FOUND');
  return {
    list: (query: PageQuery): Promise<Page<Season>> => readSeasons(db, query),
    read,
    preview: (plan: SeasonPlan) => previewSeason(context, plan),
    async begin(season: NewSeason, by: AuditContext): Promise<Season | Refusal> {
      const begun = await beginSeason(context, season, by);
      if (isRefusal(begun)) return begun;
      runner.wake();
      return read(begun.id);
    },
    previewUndo: (id: string) => previewUndo(context, id),
    async undo(id: string, by: AuditContext): Promise<Season | Refusal> {
      const refused = await undoSeason(db, id, by).finally(runner.wake);
      return refused ?? read(id);
    },
    prepare: runner.prepare,
    idle: runner.idle,
    [Symbol.asyncDispose]: () => runner[Symbol.asyncDispose](),
  };
};
