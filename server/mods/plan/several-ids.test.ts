import { expect, test } from 'vitest';
import type { ChangeWish } from '#contracts/mods/mods.ts';
import type { FoundMod, InspectedMod, InstalledMod, ModMetadata } from '#contracts/servers/agent-mods.ts';
import { plan, subjectOf, told } from '../testing/planning.ts';
import { emptyList, foundFile, materialsOf, uploadedMod } from '../testing/sample-mods.ts';

const metadata = (id: string, more: Partial<ModMetadata> = {}): ModMetadata => ({
  id,
  name: id,
  version: '1',
  authors: [],
  loaders: ['fabric'],
  side: 'both',
  requires: [],
  breaks: [],
  ...more,
});
const installed = (id: string, more: Partial<ModMetadata> = {}): InstalledMod => ({
  ...uploadedMod(id),
  metadata: metadata(id, more),
});
const found = (id: string, more: Partial<ModMetadata> = {}): FoundMod => ({
  ...foundFile(`mods/${id}.jar`),
  metadata: metadata(id, more),
});

/** Fabric API is `fabric`, too, and carries its modules (emilyploszaj/emi#217). */
const fabricApi = { provides: ['fabric', 'fabric-networking-api-v1'] };
const install: ChangeWish = { do: 'install-address', url: 'https://mods.example/own.jar' };
const remove = (id: string): ChangeWish => ({ do: 'remove', key: `upload:${id}` });

const inspecting = (...mods: ModMetadata[]) =>
  materialsOf([], {
    inspect: async () =>
      ({
        bytes: 30,
        sha512: 'c'.repeat(128),
        sha1: 'd'.repeat(40),
        fingerprint: 1,
        content: { is: 'mods', mods },
      }) satisfies InspectedMod,
  });

// Guarantee: what a mod requires is there under each of its ids, also if a person put it there.
test.each([
  ['managed', { installed: [installed('fabric-api', fabricApi)] }],
  ['put there by hand', { found: [found('fabric-api', fabricApi)], foundCount: 1 }],
])('nothing is missing where another id of a mod %s is asked for', async (_, there) => {
  const own = metadata('emi', {
    requires: ['fabric', 'fabric-networking-api-v1', 'fabricloader', 'mixinextras'],
  });
  const planned = await plan(subjectOf({ ...emptyList, ...there }), [install], inspecting(own));
  expect(told(planned).faults).toEqual([]);
});

test('what is missing is what the loader of this server asks for', async () => {
  const forFabric = metadata('both', { requires: ['fabric-api'] });
  const forForge = metadata('both', { loaders: ['forge'], requires: ['curios'] });
  const list = { ...emptyList, loader: 'forge' as const };
  const planned = await plan(subjectOf(list), [install], inspecting(forFabric, forForge));
  expect(told(planned).faults).toEqual(['DEPENDENCY_GONE curios both']);
});

// Guarantee: a mod that another one needs under any of its ids, or for a mod inside of it, is not removed.
test.each(['fabric-api', 'fabric', 'fabric-networking-api-v1'])('removing it is stopped: %s', async (id) => {
  const list = {
    ...emptyList,
    installed: [installed('fabric-api', fabricApi), installed('emi', { requires: [id] })],
  };
  expect(told(await plan(subjectOf(list), [remove('fabric-api')], materialsOf([]))).faults).toEqual([
    '!STILL_NEEDED fabric-api emi',
  ]);
  const foreign = {
    ...emptyList,
    installed: [installed('fabric-api', fabricApi)],
    found: [found('emi', { requires: [id] })],
    foundCount: 1,
  };
  expect(told(await plan(subjectOf(foreign), [remove('fabric-api')], materialsOf([]))).faults).toEqual([
    '!STILL_NEEDED fabric-api emi',
  ]);
});

test('removing it is not stopped while another mod carries the same', async () => {
  const list = {
    ...emptyList,
    installed: [
      installed('one', { provides: ['cloth'] }),
      installed('two', { provides: ['cloth'] }),
      installed('app', { requires: ['cloth'] }),
    ],
  };
  expect(told(await plan(subjectOf(list), [remove('one')], materialsOf([]))).faults).toEqual([]);
});

test('two mods that carry the same third are no conflict; one that breaks it is', async () => {
  const list = { ...emptyList, installed: [installed('one', { provides: ['cloth'] })] };
  const two = metadata('two', { provides: ['cloth'] });
  expect(told(await plan(subjectOf(list), [install], inspecting(two))).faults).toEqual([]);
  const hater = metadata('hater', { breaks: ['cloth'] });
  expect(told(await plan(subjectOf(list), [install], inspecting(hater))).faults).toEqual([
    '!CONFLICT hater one',
  ]);
});
