import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillPortal } from '#harness/full-portal.ts';
import { movableClock, portalDatabase, startTestPortal } from '#harness/portal.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openModSources } from '#simulators/mod-sources/mod-sources.ts';
import { apiDatabase } from '../../server/kernel/testing/api-database.ts';
import { startTestApi, type TestApi } from '../../server/kernel/testing/test-api.ts';
import { whenInUse } from '../../server/kernel/testing/when-in-use.ts';
import { writePrograms } from './fixtures.ts';
import { fuzzApi } from './fuzz-api.ts';
import { fuzzPortal, portalWebhookSecret } from './fuzz-portal.ts';
import { type FuzzResult, formatFuzz } from './run-fuzz.ts';

export interface FuzzOptions {
  readonly seed: number;
  readonly apiRequests: number;
  readonly portalRequests: number;
  /** Milliseconds for each. */
  readonly timeout: number;
}

const expectNoFault = (what: string, result: FuzzResult): void => {
  const told = formatFuzz(what, result);
  process.stdout.write(`${told}\n`);
  expect(result.faults, told).toEqual([]);
  // Callers get past the rights, and requests past the schemas.
  expect(result.byStatus[200]).toBeGreaterThan(0);
};

export const testFuzz = ({ seed, apiRequests, portalRequests, timeout }: FuzzOptions): void => {
  const owned = new AsyncDisposableStack();
  let api: TestApi;
  beforeAll(async () => {
    const folder = owned.use(await temporaryFolder('fuzz'));
    await writePrograms(folder.path);
    const sources = owned.use(await openModSources());
    const { modrinthUrl: modrinth, curseforgeUrl: curseforge, steamUrl: steam } = sources;
    const { url: databaseUrl } = owned.use(await apiDatabase());
    const modSourceUrls = { modrinth, curseforge, steam };
    api = owned.use(
      await startTestApi({ databaseUrl, programsFolder: folder.path, modSourceUrls, workers: [] }),
    );
    await whenInUse(api);
  });
  afterAll(() => owned.disposeAsync());

  // Guarantee: no request, whatever is in it, fails inside the API: each is carried out or refused.
  test('hostile requests to the API', { timeout }, async () => {
    expectNoFault('the API', await fuzzApi(api, { seed, count: apiRequests }));
  });

  // Guarantee: the same of the portal's API and of all its pages.
  test('hostile requests to the portal', { timeout }, async () => {
    const { url: databaseUrl } = owned.use(await portalDatabase());
    const clock = movableClock();
    const secrets = [portalWebhookSecret];
    const webhookSecrets = { generic: secrets, stripe: secrets };
    const portal = owned.use(await startTestPortal({ databaseUrl, clock, webhookSecrets }));
    await fillPortal(portal, clock);
    expectNoFault('the portal', await fuzzPortal(portal, clock, { seed, count: portalRequests }));
  });
};
