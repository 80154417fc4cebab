import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { writeProfile, writeStore } from '#games/ark/testing/profile-writer.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { findSurvivor } from './find-survivor.ts';

const steam = '76561198000000001';
const eos = '000211223344556677889900aabbccdd';
const profile = (number: number, version: 1 | 6 | 7 = 1) =>
  writeProfile({ version, account: version === 1 ? steam : eos, number: BigInt(number) });

const put = async (path: string, content: Buffer | string, ageHours = 0) => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  const at = new Date(Date.now() - ageHours * 3_600_000);
  await utimes(path, at, at);
};
const find = (folder: string, platformId = `steam:${steam}`, command: string[] = []) =>
  findSurvivor({ folder, platformId, command });

// Guarantee: the number comes from the one world of a server, wherever that is stored, and its location is reported.
test('layouts', async () => {
  const layouts = [
    ['ShooterGame/Saved/SavedArks', 'TheIsland.ark'],
    ['ShooterGame/Saved/SavedArks/TheIsland_WP', 'TheIsland_WP.ark'],
    ['ShooterGame/Saved/SavedArksLocal', 'TheIsland.ark'],
    ['ShooterGame/Saved/Über uns 玩家/ScorchedEarth_WP', 'ScorchedEarth_WP.ark'],
    ['.', 'Ragnarok.ark'],
  ] as const;
  for (const [index, [place, world]] of layouts.entries()) {
    await using folder = await temporaryFolder('ark');
    await put(join(folder.path, place, world), 'world');
    await put(join(folder.path, place, `${steam}.arkprofile`), profile(1000 + index));
    await put(join(folder.path, place, `${eos.toUpperCase()}.arkprofile`), profile(2000 + index, 6));
    await put(join(folder.path, place, '1234.arktribe'), 'tribe');
    expect(await find(folder.path)).toEqual({
      number: String(1000 + index),
      from: join(place, `${steam}.arkprofile`),
    });
    expect(await find(folder.path, `eos:${eos}`)).toMatchObject({ number: String(2000 + index) });
    expect(await find(folder.path, 'steam:76561198000000002')).toMatchObject({ number: null });
  }
});

// Guarantee: of several worlds, that of the start command counts, else the only one that is being played; else none.
test('several worlds', async () => {
  await using folder = await temporaryFolder('ark');
  const saved = join(folder.path, 'ShooterGame/Saved');
  await put(join(saved, 'SavedArks/TheIsland.ark'), 'world', 200);
  await put(join(saved, `SavedArks/${steam}.arkprofile`), profile(1), 200);
  await put(join(saved, 'Second/Ragnarok.ark'), 'world');
  await put(join(saved, `Second/${steam}.arkprofile`), profile(2));
  expect(await find(folder.path)).toMatchObject({ number: '2' });
  await put(join(saved, 'SavedArks/TheIsland.ark'), 'world', 1);
  expect(await find(folder.path)).toMatchObject({
    number: null,
    detail: expect.stringContaining('Several saved worlds'),
  });
  const start = (map: string) => ['./ShooterGameServer', `${map}?listen?SessionName=x`, '-server'];
  expect(await find(folder.path, `steam:${steam}`, start('TheIsland'))).toMatchObject({ number: '1' });
  expect(await find(folder.path, `steam:${steam}`, start('Ragnarok'))).toMatchObject({ number: '2' });
  expect(await find(folder.path, `steam:${steam}`, start('Fjordur'))).toMatchObject({ number: null });
  expect(
    await find(folder.path, `steam:${steam}`, ['x', 'Ragnarok?listen?AltSaveDirectoryName=Second?Port=1']),
  ).toMatchObject({ number: '2' });
  expect(await find(join(saved, 'SavedArks'))).toMatchObject({ number: '1' });
});

// Guarantee: a new character's number is reported immediately; a file that does not fit is named and gives no number.
test('changes and damage', async () => {
  await using folder = await temporaryFolder('ark');
  const file = join(folder.path, `ShooterGame/Saved/SavedArks/${steam}.arkprofile`);
  await put(join(dirname(file), 'TheIsland.ark'), 'world');
  expect(await find(folder.path)).toMatchObject({
    number: null,
    detail: expect.stringContaining('no profile'),
  });
  await put(file, profile(77));
  expect(await find(folder.path)).toMatchObject({ number: '77' });
  await put(file, profile(78));
  expect(await find(folder.path)).toMatchObject({ number: '78' });
  for (const damaged of [Buffer.alloc(0), profile(78).subarray(0, 300), Buffer.alloc(9 * 1024 * 1024)]) {
    await put(file, damaged);
    expect(await find(folder.path)).toMatchObject({
      number: null,
      detail: expect.stringContaining(`${steam}.arkprofile cannot be used`),
    });
  }
  for (const platformId of ['steam:../../x', 'minecraft:abc', 'eos:12', `steam:${steam}/..`])
    expect(await find(folder.path, platformId)).toMatchObject({ number: null });
  expect(await find(join(folder.path, 'nowhere'))).toMatchObject({ number: null });
});

// Guarantee: a folder that is a link to elsewhere is not searched.
test('links', async () => {
  await using folder = await temporaryFolder('ark');
  await using elsewhere = await temporaryFolder('elsewhere');
  await put(join(elsewhere.path, 'TheIsland.ark'), 'world');
  await put(join(elsewhere.path, `${steam}.arkprofile`), profile(5));
  await mkdir(join(folder.path, 'ShooterGame/Saved'), { recursive: true });
  await symlink(elsewhere.path, join(folder.path, 'ShooterGame/Saved/SavedArks'));
  expect(await find(folder.path)).toMatchObject({ number: null });
});

// Guarantee: a profile inside an Ascended world is read while the game has it open, and nothing is left beside it.
test('profiles inside the world', async () => {
  await using folder = await temporaryFolder('ark');
  const place = join(folder.path, 'ShooterGame/Saved/SavedArks/TheIsland_WP');
  await mkdir(place, { recursive: true });
  const path = join(place, 'TheIsland_WP.ark');
  const other = writeProfile({ version: 7, account: eos.replace('0002', '0003'), number: 9n });
  {
    using game = new DatabaseSync(path);
    game.exec('create table custom (key text, value blob); create table game (key blob, value blob)');
    game
      .prepare('insert into custom values (?, ?)')
      .run('GameModeCustomBytes', writeStore([other, profile(4711, 7)]));
    expect(await find(folder.path, `eos:${eos}`)).toEqual({
      number: '4711',
      from: join('ShooterGame/Saved/SavedArks/TheIsland_WP', 'TheIsland_WP.ark'),
    });
    expect(await find(folder.path, `eos:${'1'.repeat(32)}`)).toMatchObject({ number: null });
  }
  await writeFile(path, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(500, 3)]));
  expect(await find(folder.path, `eos:${eos}`)).toMatchObject({
    number: null,
    detail: expect.stringContaining('TheIsland_WP.ark cannot be used'),
  });
  const { readdir } = await import('node:fs/promises');
  expect(await readdir(place)).toEqual(['TheIsland_WP.ark']);
});
