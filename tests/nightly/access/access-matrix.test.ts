import { expect, test } from 'vitest';
import { openModSources } from '#simulators/mod-sources/mod-sources.ts';
import { apiDatabase } from '../../../server/kernel/testing/api-database.ts';
import { startTestApi } from '../../../server/kernel/testing/test-api.ts';
import { whenInUse } from '../../../server/kernel/testing/when-in-use.ts';
import { askAsEveryone } from '../../fuzz/access-matrix.ts';
import { callerGroups } from '../../fuzz/callers.ts';

const seed = Number(process.env.CASTELLAN_KILL_SEED ?? 37);

// Guarantee: each caller, with one right alone, with all of them, or with one for one server, is let in where the route
// declares it and nowhere else, and no right for one server shows another.
test.each(callerGroups)('%s, at every route', { timeout: 20 * 60_000 }, async (group) => {
  await using sources = await openModSources();
  const { modrinthUrl: modrinth, curseforgeUrl: curseforge, steamUrl: steam } = sources;
  await using database = await apiDatabase();
  await using api = await startTestApi({
    ...{ databaseUrl: database.url, workers: [] },
    modSourceUrls: { modrinth, curseforge, steam },
  });
  await whenInUse(api);
  const { faults, ...counts } = await askAsEveryone(api, group, seed);
  process.stdout.write(`${group}, seed ${seed}: ${JSON.stringify(counts)}\n`);
  expect(faults).toEqual([]);
  // Requests get past the checks of the routes, too.
  expect(counts.carriedOut).toBeGreaterThan(counts.callers / 2);
});
