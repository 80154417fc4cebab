import type { Migrations } from '#runtime/database/migrate.ts';
import { licensing } from './migrations/0001-licensing.ts';

export const migrations: Migrations = {
  '0001-licensing': licensing,
};
