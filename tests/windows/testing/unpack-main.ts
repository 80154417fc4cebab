/** Runs on Windows: unpacks an archive as the agent does, swaps folders by renames while a program holds a file, and reports it. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gameOf } from '#games/games.ts';
import { openArchive } from '#runtime/archives/open-archive.ts';
import { briefMs, whenNotBusy } from '#runtime/busy-file.ts';
import { holdFile } from './hold-file.ts';

const [archivePath = '', deep = '', held = '', told = ''] = process.argv.slice(2);
const { signal } = new AbortController();

const unpack = async () => {
  await mkdir(deep, { recursive: true });
  await using archive = await openArchive(archivePath);
  const { content, placements } = await gameOf('seven-days-to-die').mods.inspect(archive);
  const placeOf = new Map(placements.map(({ entry, path }) => [entry, path]));
  const files = await archive.unpack(deep, {
    signal,
    place: ({ path, isFolder }) => (isFolder ? null : (placeOf.get(path) ?? null)),
  });
  const moved = `${deep} in place`;
  await whenNotBusy(() => rename(deep, moved));
  const read = await Promise.all(
    files.map(async ({ path, sha512 }) => {
      const data = await readFile(join(moved, ...path.split('/')));
      return { path, isWhole: createHash('sha512').update(data).digest('hex') === sha512 };
    }),
  );
  return {
    content: content.is,
    longest: Math.max(...files.map(({ path }) => join(moved, path).length)),
    read,
  };
};

const swapHeld = async () => {
  await mkdir(held, { recursive: true });
  const jar = join(held, 'mod ü.jar');
  const aside = join(held, 'mod ü.old');
  await writeFile(jar, '');
  const release = await holdFile(jar, dirname(archivePath));
  const refused = await whenNotBusy(() => rename(jar, aside), briefMs).catch(
    (error: NodeJS.ErrnoException) => error.code,
  );
  const afterRefusal = (await readdir(held)).sort();
  let tries = 0;
  await whenNotBusy(async () => {
    tries += 1;
    if (tries === 3) await release();
    await rename(jar, aside);
  });
  return { refused, afterRefusal, tries, afterwards: (await readdir(held)).sort() };
};

/** As long as a scanner holds each new file. */
const scanMs = 8000;

/** The tries that a rename of a file needs that a scanner holds. */
const renameScanned = async () => {
  const fresh = join(held, 'fresh.json');
  await writeFile(fresh, '');
  const release = await holdFile(fresh, held);
  let tries = 0;
  const renaming = whenNotBusy(() => {
    tries += 1;
    return rename(fresh, join(held, 'record.json'));
  });
  await Promise.all([renaming, delay(scanMs).then(release)]);
  return tries;
};

const outcome = { unpacked: await unpack(), swapped: await swapHeld(), scanned: await renameScanned() };
await writeFile(told, JSON.stringify(outcome));
