import type { TestDatabase } from './database.ts';
import { type Installation, installOver } from './licensed-home.ts';
import { ownedDatabase } from './owned-database.ts';

export type { ApiProcess, Installation } from './licensed-home.ts';

/**
 * @param lines additional variables for `.env`
 * @param openDatabase a migrated one by default
 */
export const install = async (
  lines: Readonly<Record<string, string>> = {},
  openDatabase: () => Promise<TestDatabase> = ownedDatabase,
): Promise<Installation> => {
  await using building = new AsyncDisposableStack();
  const database = building.use(await openDatabase());
  const installation = building.use(await installOver(database.url, lines));
  const owned = building.move();
  return { ...installation, [Symbol.asyncDispose]: () => owned.disposeAsync() };
};
