import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspectBytes } from '#games/testing/inspect-files.ts';
import { otherLineOf, updateOf } from '../../../server/mods/plan/choose-version.ts';
import type { SourceVersion } from '../../../server/mods/sources/mod-source.ts';
import { changedInputsTimeout, changesOf } from '../changed-inputs.ts';
import { pack, readShape } from './build-archive.ts';
import { fuzzArchives } from './fuzz-archives.ts';
import { archiveCases, lineCases } from './mods.cases.ts';

// Guarantee: mods and packs are read as their games and loaders read them, in the shapes that people have.
describe('an archive', () => {
  test.each(archiveCases)('$file $parts ($source)', async (one) => {
    const { file, game = 'minecraft', parts, mods, content, places, leftOut, fault } = one;
    const inspecting = inspectBytes(pack(readShape(file)), game, parts);
    if (fault !== undefined) {
      await expect(inspecting).rejects.toMatchObject({ fault });
      return;
    }
    const found = await inspecting;
    if (mods !== undefined) expect(found.content).toMatchObject({ is: 'mods', mods });
    if (content !== undefined) expect(found.content).toMatchObject(content);
    if (places !== undefined)
      expect([...found.placements, ...found.downloads].map(({ path }) => path).sort()).toEqual(places);
    if (leftOut !== undefined) expect(found.leftOut.toSorted()).toEqual(leftOut);
  });

  test('of each file is compared, by itself or inside of another', () => {
    const named = new Set(archiveCases.map(({ file }) => file));
    const inside = new Set(
      readdirSync(join(import.meta.dirname, 'archives')).filter((file) => !named.has(file)),
    );
    for (const file of [...inside])
      expect(pack(readShape(file)).length, `${file} is in no table`).toBeGreaterThan(100);
    expect([...inside].every((file) => /^(?:fabric|forge|library)/.test(file))).toBe(true);
  });
});

const told =
  /^(?<name>[^[]+?)(?: \[(?<games>[^\]]+)\])?(?: \[(?<loaders>[^\]]+)\])?(?: (?<channel>beta|alpha))?$/;

const versionOf = (text: string, day: number): SourceVersion => {
  const { name = text, games = '1.20.1', loaders = 'fabric', channel } = told.exec(text)?.groups ?? {};
  return {
    id: text,
    project: 'p',
    name,
    channel: channel === 'beta' || channel === 'alpha' ? channel : 'release',
    publishedAt: new Date(Date.UTC(2026, 0, 10 + day)).toISOString(),
    gameVersions: games.split(', '),
    loaders: loaders.split(', '),
    bytes: null,
    changelog: null,
    isByHand: false,
    page: null,
    form: 'file',
    file: null,
    dependencies: [],
  };
};

// Guarantee: no update goes back; another line of versions is shown as one.
test.each(lineCases)('a mod: $what ($source)', ({ installed, offered, update, otherLine }) => {
  const versions = offered.map(versionOf);
  const there = versions.find(({ id }) => id === installed) ?? versionOf(installed, -1);
  expect(updateOf(there.id, there, versions)?.name ?? null).toBe(update);
  expect(otherLineOf(there.id, there, versions)?.name ?? null).toBe(otherLine);
});

// Guarantee: whatever becomes of these archives on their way, the answer is what is in them, or a refusal.
test('archives that something has changed', { timeout: changedInputsTimeout }, async () => {
  const files = archiveCases
    .filter(({ file }) => file !== '7dtd-height-map.txt')
    .map(({ file, game = 'minecraft' }) => ({ file, game }));
  const { numRuns, seed } = changesOf('mods');
  expect(await fuzzArchives(files, { runs: numRuns, seed })).toEqual([]);
});
