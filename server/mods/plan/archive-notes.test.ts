import { expect, test } from 'vitest';
import type { ChangeWish } from '#contracts/mods/mods.ts';
import type { InspectedMod, ModMetadata } from '#contracts/servers/agent-mods.ts';
import { findLoader } from '#games/minecraft/loader.ts';
import { plan, subjectOf, told } from '../testing/planning.ts';
import { afterwards, emptyList, materialsOf } from '../testing/sample-mods.ts';

const inspecting = (content: InspectedMod['content']) =>
  materialsOf([], {
    inspect: async () => ({
      bytes: 9,
      sha512: 'c'.repeat(128),
      sha1: 'd'.repeat(40),
      fingerprint: 1,
      content,
    }),
  });
const wish = (parts?: string[]): ChangeWish => ({
  do: 'install-address',
  url: 'https://mods.example/a.zip',
  ...(parts && { parts }),
});

const pack = (
  more: Partial<Extract<InspectedMod['content'], { is: 'pack' }>> = {},
): InspectedMod['content'] => ({
  is: 'pack',
  name: 'A pack',
  version: '1',
  gameVersion: '1.20.1',
  loader: 'neoforge',
  files: [],
  overrides: 0,
  clientOnly: 0,
  ...more,
});

const nothing = {
  read: async () => null,
  folders: async () => [],
  files: async () => [],
  links: async () => [],
};

// Guarantee: a pack for NeoForge 1.20.1 is accepted by what runs it, however that names itself, and by nothing else.
test.each([
  ['@libraries/net/neoforged/forge/1.20.1-47.1.106/unix_args.txt', []],
  ['@libraries/net/neoforged/forge/47.1.82/unix_args.txt', []],
  ['@libraries/net/minecraftforge/forge/1.20.1-47.2.0/unix_args.txt', []],
  ['@libraries/net/neoforged/neoforge/20.2.88/unix_args.txt', ['!WRONG_GAME a.zip -']],
  ['@libraries/net/minecraftforge/forge/1.19.2-43.1.1/unix_args.txt', ['!WRONG_GAME a.zip -']],
  ['fabric-server-mc.1.20.1-loader.0.15.11-launcher.1.0.1.jar', ['!WRONG_GAME a.zip -']],
])('a pack for NeoForge 1.20.1 on %s', async (word, faults) => {
  const facts = await findLoader(nothing, [word]);
  const planned = await plan(subjectOf({ ...emptyList, ...facts }), [wish()], inspecting(pack()));
  expect(told(planned).faults).toEqual(faults);
});

// Guarantee: people read in the plan which files of an archive are not installed, and why.
test('what is left out', async () => {
  const content = pack({
    loader: 'fabric',
    gameVersion: '1.21.1',
    leftOut: [
      { path: 'mods/oculus.jar', why: 'client-only' },
      { path: 'config/What?.txt', why: 'unstorable' },
    ],
  });
  const { faults, put } = await plan(subjectOf(), [wish()], inspecting(content));
  expect(faults.map(({ code, isBlocking, detail }) => ({ code, isBlocking, detail }))).toEqual([
    { code: 'LEFT_OUT', isBlocking: false, detail: 'For players only: mods/oculus.jar' },
    { code: 'LEFT_OUT', isBlocking: false, detail: 'Names that not every system can hold: config/What?.txt' },
  ]);
  expect(put).toHaveLength(1);
});

const metadata = (id: string): ModMetadata => ({
  id,
  name: id,
  version: '1',
  authors: [],
  loaders: [],
  side: null,
  requires: [],
  breaks: [],
});

// Guarantee: parts of an archive are offered, installed when they are chosen, and choosing others is a change.
test('parts', async () => {
  const list = { ...emptyList, loader: null, forms: ['folders' as const] };
  const subject = subjectOf(list, { game: 'seven-days-to-die' });
  const materials = inspecting({
    is: 'folders',
    folders: [{ name: 'A', metadata: metadata('A') }],
    parts: [{ path: 'A/Optional/B', name: 'B' }],
  });
  const without = await plan(subject, [wish()], materials);
  expect(without.faults).toMatchObject([
    { code: 'PARTS', isBlocking: false, parts: [{ path: 'A/Optional/B', name: 'B', isChosen: false }] },
  ]);
  expect(without.put[0]).not.toHaveProperty('parts');
  const chosen = await plan(subject, [wish(['A/Optional/B', 'A/Optional/none'])], materials);
  expect(chosen.faults).toMatchObject([{ parts: [{ isChosen: true }] }]);
  expect(chosen.put).toMatchObject([{ key: 'address:A', parts: ['A/Optional/B'] }]);
  const after = subjectOf(afterwards(list, without), { game: 'seven-days-to-die' });
  expect((await plan(after, [wish()], materials)).lines).toEqual([]);
  expect((await plan(after, [wish(['A/Optional/B'])], materials)).lines).toHaveLength(1);
  // A new version from the same address keeps what was chosen.
  const kept = subjectOf(afterwards(list, chosen), { game: 'seven-days-to-die' });
  expect((await plan(kept, [{ do: 'update', key: 'address:A', version: null }], materials)).lines).toEqual(
    [],
  );
});
