import type {
  NewSeason,
  Season,
  SeasonDetails,
  SeasonPlan,
  SeasonPreview,
  SeasonUndo,
} from '#contracts/store/seasons.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Page, PageQuery } from '../../kernel/logs/older-page.ts';
import { type BeginSeasonOptions, createBeginSeason, createPreviewSeason } from './begin-season.ts';
import { readSeason, readSeasons } from './read-seasons.ts';
import { createSeasonRunner, type SeasonRunner, type SeasonRunnerOptions } from './season-runner.ts';
import { createPreviewUndo, createUndoSeason, type UndoSeasonOptions } from './undo-season.ts';

export interface SeasonsOptions
  extends SeasonRunnerOptions,
    Omit<BeginSeasonOptions, 'now' | 'orders'>,
    UndoSeasonOptions {
  readonly now?: () => Date;
}

/** What a wipe takes, resets and gives again. */
export interface Seasons extends AsyncDisposable {
  list(query: PageQuery): Promise<Page<Season>>;
  read(id: string): Promise<SeasonDetails | Refusal>;
  preview(plan: SeasonPlan): Promise<SeasonPreview | Refusal>;
  begin(season: NewSeason, by: AuditContext): Promise<Season | Refusal>;
  previewUndo(id: string): Promise<SeasonUndo | Refusal>;
  undo(id: string, by: AuditContext): Promise<Season | Refusal>;
  readonly prepare: SeasonRunner['prepare'];
  readonly idle: SeasonRunner['idle'];
}

export const createSeasons = (options: SeasonsOptions): Seasons => {
  const { db, orders, sold, memberNames, now = () => new Date() } = options;
  const runner = createSeasonRunner(options);
  const beginSeason = createBeginSeason({ db, orders, sold, now });
  const undoSeason = createUndoSeason({ db });
  const read: Seasons['read'] = async (id) => (await readSeason(db, id, memberNames)) ?? refuse('NOT_FOUND');
  return {
    list: (query) => readSeasons(db, query),
    read,
    preview: createPreviewSeason({ db, orders, sold, now }),
    async begin(season, by) {
      const begun = await beginSeason(season, by);
      if (isRefusal(begun)) return begun;
      runner.wake();
      return read(begun.id);
    },
    previewUndo: createPreviewUndo({ db, memberNames }),
    async undo(id, by) {
      const refused = await undoSeason(id, by).finally(runner.wake);
      return refused ?? read(id);
    },
    prepare: runner.prepare,
    idle: runner.idle,
    [Symbol.asyncDispose]: () => runner[Symbol.asyncDispose](),
  };
};
