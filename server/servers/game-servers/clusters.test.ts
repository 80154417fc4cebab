import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Permission } from '#contracts/identity/permissions.ts';
import type { Cluster } from '#contracts/servers/clusters.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import { type MigratedDatabase, migratedDatabase, testOwner } from '../../kernel/testing/feature-api.ts';
import { type Clusters, createClusters } from './clusters.ts';
import { createGameServers } from './game-servers.ts';
import { testSecrets } from './testing/test-secrets.ts';

let database: MigratedDatabase;
let clusters: Clusters;
let maxClusters: number | null;

beforeEach(async () => {
  database = await migratedDatabase();
  maxClusters = null;
  clusters = createClusters({ db: database.db, maxClusters: () => maxClusters });
});
afterEach(() => database[Symbol.asyncDispose]());

const by = { actor: testOwner, address: '::1' };
const create = (name: string) => clusters.create({ name, description: '' }, by);
const granted = (result: Cluster | Refusal): Cluster => {
  if (isRefusal(result)) throw new Error(result.refused);
  return result;
};
const inUse = async () => (await clusters.list({ archived: false })).map(({ name }) => name);

// Guarantee: only one cluster in use holds a name, however it is spelled and however many requests ask for it at the same time.
test('names', async () => {
  const results = await Promise.all(['Ark', 'ark', 'ＡＲＫ', 'ARK '].map(create));
  expect(results.filter((result) => !isRefusal(result))).toHaveLength(1);
  expect(results.filter((result) => isRefusal(result) && result.refused === 'NAME_TAKEN')).toHaveLength(3);
  const [first] = await clusters.list({ archived: false });
  if (!first) throw new Error('no cluster');
  granted(await clusters.archive(first.id, by));
  granted(await create('Ark'));
  expect(await clusters.restore(first.id, by)).toMatchObject({ refused: 'NAME_TAKEN' });
});

// Guarantee: however many are created or restored at the same time, no more come into use than the license allows.
test('the limit of the license', async () => {
  maxClusters = 3;
  const archived = granted(await create('archived'));
  granted(await clusters.archive(archived.id, by));
  const results = await Promise.all([
    ...Array.from({ length: 8 }, (_, index) => create(`cluster ${index}`)),
    clusters.restore(archived.id, by),
  ]);
  expect(results.filter((result) => !isRefusal(result))).toHaveLength(3);
  const refused = results.find(isRefusal);
  expect(refused).toMatchObject({
    refused: 'CLUSTER_LIMIT',
    detail: 'The license allows 3 in use at once, and 3 are in use.',
  });
});

// Guarantee: a license that shrank takes no cluster away; no new one is allowed until there is room again.
test('a smaller license', async () => {
  const made = [granted(await create('one')), granted(await create('two')), granted(await create('three'))];
  maxClusters = 1;
  expect(await inUse()).toHaveLength(3);
  expect(granted(await clusters.change(made[0]?.id ?? '', { version: 1, name: 'uno' }, by)).name).toBe('uno');
  expect(await create('four')).toMatchObject({ refused: 'CLUSTER_LIMIT' });
  for (const { id } of made) granted(await clusters.archive(id, by));
  granted(await create('four'));
  expect(await inUse()).toEqual(['four']);
});

// Guarantee: a change based on an older version changes nothing; archived clusters cannot be changed; each change has its audit row.
test('versions and the archive', async () => {
  const { id } = granted(await create('one'));
  const change = (version: number, name: string) => clusters.change(id, { version, name }, by);
  const results = await Promise.all([change(1, 'first'), change(1, 'second')]);
  expect(results.filter(isRefusal)).toMatchObject([{ refused: 'CONFLICT' }]);
  expect(granted(await clusters.archive(id, by)).version).toBe(3);
  expect(granted(await clusters.archive(id, by)).version).toBe(3);
  expect(await change(3, 'third')).toMatchObject({ refused: 'SERVER_ARCHIVED' });
  expect(granted(await clusters.restore(id, by)).archivedAt).toBeNull();
  expect(await clusters.change('nowhere', { version: 1 }, by)).toMatchObject({ refused: 'NOT_FOUND' });
  const audit = await database.db.selectFrom('audit_logs').select('action').orderBy('id').execute();
  expect(audit.map(({ action }) => action)).toEqual([
    'clusters.create',
    'clusters.change',
    'clusters.archive',
    'clusters.restore',
  ]);
});

// Guarantee: only an empty cluster can be archived, and no server enters an archived one, even at the same moment.
test('a cluster that is not empty', async () => {
  const servers = createGameServers({ db: database.db, secrets: testSecrets() });
  for (let round = 0; round < 10; round += 1) {
    const { id } = granted(await create(`cluster ${round}`));
    const [server, archived] = await Promise.all([
      servers.create({ clusterId: id, name: `server ${round}`, game: 'minecraft', host: null }, by),
      clusters.archive(id, by),
    ]);
    if (isRefusal(server)) expect([server.refused, isRefusal(archived)]).toEqual(['SERVER_ARCHIVED', false]);
    else expect(archived).toMatchObject({ refused: 'CLUSTER_NOT_EMPTY' });
  }
});

// Guarantee: a permission for single servers does not allow changing a cluster.
test('rights for one server are not enough', async () => {
  const held = new Set<Permission>(['servers.write']);
  const actor: Actor = { ...testOwner, permissions: new Set(), serverPermissions: new Map([['s', held]]) };
  const { id } = granted(await create('one'));
  for (const result of [
    await clusters.create({ name: 'x', description: '' }, { ...by, actor }),
    await clusters.change(id, { version: 1, name: 'x' }, { ...by, actor }),
    await clusters.archive(id, { ...by, actor }),
    await clusters.restore(id, { ...by, actor }),
  ])
    expect(result).toMatchObject({ refused: 'FORBIDDEN' });
});
