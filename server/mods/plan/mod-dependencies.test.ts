import { afterAll, expect, test } from 'vitest';
import type { ChangeWish } from '#contracts/mods/mods.ts';
import { openModSources } from '#simulators/mod-sources/mod-sources.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { openModdedServer } from '../testing/modded-server.ts';

const sources = await openModSources();
const running = apiForThisFile({ modSourceUrls: { modrinth: sources.modrinthUrl } });
afterAll(() => sources[Symbol.asyncDispose]());

const put = (id: string, name: string, ...needs: string[]) =>
  sources.catalogue.put({
    source: 'modrinth',
    id,
    name,
    versions: [{ id: `${name}v1`, dependencies: needs.map((project) => ({ kind: 'required', project })) }],
  });
const install = (project: string): ChangeWish => ({
  do: 'install',
  source: 'modrinth',
  project,
  version: null,
});
const remove = (id: string): ChangeWish => ({ do: 'remove', key: `modrinth:${id}` });

// Guarantee: what came along with a mod is offered for removal when that mod goes, even after it was removed and put back;
// what a person chose is not.
test('what came along', async () => {
  put('LIBRARY1', 'Library');
  put('CHOSEN01', 'Chosen');
  put('ALPHA001', 'Alpha', 'LIBRARY1', 'CHOSEN01');
  using server = await openModdedServer(running().port);
  await server.run(install('CHOSEN01'));
  const added = await server.run(install('ALPHA001'));
  expect(added.lines.map(({ name }) => name).sort()).toEqual(['Alpha', 'Library']);
  await server.run({ do: 'undo', job: added.id });
  const again = await server.run(install('ALPHA001'));
  const removed = await server.run(remove('ALPHA001'), remove('LIBRARY1'));
  await server.run({ do: 'undo', job: removed.id });
  expect(again.state).toBe('done');
  const plan = await server.plan(remove('ALPHA001'));
  expect(plan.lines.map(({ key }) => key)).toEqual(['modrinth:ALPHA001']);
  expect(plan.unneeded).toEqual([
    { key: 'modrinth:LIBRARY1', source: 'modrinth', name: 'Library', versionName: '1.0.0' },
  ]);
  const both = await server.plan(remove('ALPHA001'), remove('LIBRARY1'));
  expect([both.faults, both.unneeded]).toEqual([[], []]);
  // Now a person has asked for it.
  await server.run(remove('ALPHA001'), remove('LIBRARY1'));
  await server.run(install('LIBRARY1'));
  await server.run(install('ALPHA001'));
  expect((await server.plan(remove('ALPHA001'))).unneeded).toEqual([]);
});
