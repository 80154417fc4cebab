import type { ColumnType, Generated } from 'kysely';
import type { GameId } from '#contracts/games.ts';
import type { ModSet } from '#contracts/mods.ts';

export interface ModSetsTable {
  id: string;
  name: string;
  name_key: string;
  game: GameId;
  items: ColumnType<ModSet['items'], string, string>;
  version: Generated<number>;
  changed_at: Generated<Date>;
  changed_by_name: string;
}
