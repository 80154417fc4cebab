import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs, promisify } from 'node:util';
import { listBackups } from '#runtime/backup/backup-manifest.ts';
import { restoreHome } from '#runtime/backup/restore-home.ts';
import { clusterFolder } from '#runtime/backup/take-full-backup.ts';
import { flipByte } from '#runtime/backup/testing/flip-byte.ts';
import { type HomeToBackUp, homeToBackUp } from '#runtime/backup/testing/home-to-back-up.ts';
import { backupsFolder } from '#runtime/postgres/backup.ts';
import { checksumsName } from '#runtime/postgres/backup-checksums.ts';
import type { Bench } from './harness/report.ts';
import { pickFrom, randomOf } from './harness/seeded-random.ts';
import { median } from './harness/statistics.ts';

/** What a changed byte came to. */
type Outcome = 'found' | 'harmless' | 'MISSED';

interface Flip {
  readonly place: string;
  readonly path: string;
  readonly offset: number;
  readonly bits: number;
}

interface Place {
  readonly name: string;
  /** Relative to `folder`. */
  readonly files: readonly string[];
  /** Where their used part ends; absent: all of it is used. */
  readonly endsAt?: number;
}

/** One byte in turn of each place, in any of its files. */
const chooseFlips = async (
  folder: string,
  places: readonly Place[],
  count: number,
  random: () => number,
): Promise<Flip[]> => {
  const flips: Flip[] = [];
  for (let index = 0; index < count; index++) {
    const place = places[index % places.length];
    if (place === undefined) break;
    const path = pickFrom(place.files, random);
    const { size } = await stat(join(folder, path));
    const bits = 1 + Math.floor(random() * 255);
    flips.push({ place: place.name, path, offset: Math.floor(random() * (place.endsAt ?? size)), bits });
  }
  return flips;
};

const filesIn = async (folder: string): Promise<string[]> =>
  Object.keys(JSON.parse(await readFile(join(folder, checksumsName), 'utf8')).files);

/** Large and small rows, values that are stored apart, three kinds of indexes, and thousands of transactions. */
const fill = async (source: HomeToBackUp, rows: number): Promise<void> => {
  await source.inApp(
    'create table notes (id int primary key, tag text, refs jsonb, text text)',
    `insert into notes select n, md5(n::text), jsonb_build_object('of', n % 100), repeat(md5(n::text), 8)
     from generate_series(1, ${rows}) n`,
    'create index notes_tag on notes (tag)',
    'create index notes_refs on notes using gin (refs)',
    'create table letters (id int primary key, text text)',
    'alter table letters alter text set storage external',
    `insert into letters select n, repeat(md5(n::text), 900) from generate_series(1, ${Math.ceil(rows / 200)}) n`,
    'create table lines (id int generated always as identity, text text)',
    'create procedure write_lines(count int) language plpgsql as $$ begin for n in 1..count loop insert into lines (text) values (n); commit; end loop; end $$',
    'call write_lines(4000)',
  );
};

const relations = async (source: HomeToBackUp, where: string): Promise<string[]> =>
  (
    (await source.inApp(
      `select pg_relation_filepath(oid) as path from pg_class where pg_relation_filepath(oid) is not null and relpages > 0 and ${where}`,
    )) as { path: string }[]
  ).map(({ path }) => path);

/** Everything that a person could read, as one sum. */
const contentOf = async (source: HomeToBackUp): Promise<string> => {
  const hash = createHash('sha256');
  for (const table of ['players', 'schema_migrations', 'notes', 'letters', 'lines'])
    for (const row of await source.inApp(`select t::text as row from ${table} t order by 1`))
      hash.update((row as { row: string }).row);
  return hash.digest('hex');
};

const flipBackup = async (source: HomeToBackUp, backup: string, flip: Flip): Promise<Outcome> => {
  const home = join(source.path, 'bare');
  await mkdir(home, { mode: 0o711 });
  const undo = await flipByte(join(backup, flip.path), flip.offset, flip.bits);
  try {
    const refusal = await restoreHome({ owner: 'castellan', home, backup, onlyWhereMissing: [] }).then(
      () => null,
      (error: Error) => error.message,
    );
    const isUntouched = (await readdir(home)).length === 0;
    return refusal?.includes(flip.path) && isUntouched ? 'found' : 'MISSED';
  } finally {
    await undo();
    await rm(home, { recursive: true });
  }
};

/** Stops the cluster, changes the byte, starts it again and backs it up. A start that is refused tells a person, too. */
const flipLive = async (source: HomeToBackUp, flip: Flip, content: string): Promise<[Outcome, string]> => {
  const { cluster, home } = source;
  const data = join(clusterFolder(home), 'data');
  const pristine = join(source.path, 'pristine');
  await cluster.stop();
  await flipByte(join(data, flip.path), flip.offset, flip.bits);
  try {
    try {
      await cluster.start();
    } catch (error) {
      return ['found', `the start: ${(error as Error).message}`];
    }
    const why = await source.backUp().then(
      () => null,
      (error: Error) => error.message,
    );
    if (why !== null) return ['found', why];
    const isSame = (await contentOf(source).catch(() => null)) === content;
    return isSame ? ['harmless', 'every row is as it was'] : ['MISSED', 'rows differ'];
  } finally {
    await cluster.stop();
    await rm(data, { recursive: true });
    // As the cluster was before: what it wrote since might hide the next fault.
    await copyTree(pristine, data);
    await cluster.start();
    for (const { name } of await listBackups(backupsFolder(home)))
      await rm(join(backupsFolder(home), name), { recursive: true });
  }
};

const copyTree = async (from: string, to: string): Promise<void> => {
  await promisify(execFile)('cp', ['-a', '--reflink=auto', from, to]);
};

const count = (outcomes: readonly Outcome[]) => ({
  changed: outcomes.length,
  found: outcomes.filter((outcome) => outcome === 'found').length,
  harmless: outcomes.filter((outcome) => outcome === 'harmless').length,
  missed: outcomes.filter((outcome) => outcome === 'MISSED').length,
});

const byPlace = (tried: readonly { readonly flip: Flip; readonly outcome: Outcome }[]) =>
  Object.fromEntries(
    [...new Set(tried.map(({ flip }) => flip.place))].map((place) => [
      place,
      count(tried.filter(({ flip }) => flip.place === place).map(({ outcome }) => outcome)),
    ]),
  );

export const backupsBench: Bench = {
  summary: 'time and size of a backup, and bytes that change in backups and in a live cluster',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      strict: false,
      options: {
        rows: { type: 'string', default: '100000' },
        rounds: { type: 'string', default: '5' },
        flips: { type: 'string', default: '100' },
        seed: { type: 'string', default: '1' },
      },
    });
    const [rows, rounds, flips, seed] = [values.rows, values.rounds, values.flips, values.seed].map(Number);
    const random = randomOf(seed ?? 1);
    await using source = await homeToBackUp();
    await fill(source, rows ?? 0);
    const times: number[] = [];
    let backup = '';
    for (let round = 0; round < (rounds ?? 0); round++) {
      say(`backup ${round + 1} of ${rounds}`);
      if (backup) await rm(backup, { recursive: true });
      const began = performance.now();
      backup = (await source.backUp()).path;
      times.push(performance.now() - began);
    }
    const backupFiles = [...(await filesIn(backup)), checksumsName];
    const sizes = await Promise.all(backupFiles.map(async (name) => (await stat(join(backup, name))).size));

    const inBackup: { flip: Flip; outcome: Outcome }[] = [];
    const inDatabase = backupFiles.filter((name) => name.startsWith('database/'));
    const databaseFiles = [];
    for (const name of inDatabase) if ((await stat(join(backup, name))).size > 0) databaseFiles.push(name);
    const backupPlaces = [
      { name: 'database', files: databaseFiles },
      { name: 'pg_xact', files: databaseFiles.filter((name) => name.includes('/pg_xact/')) },
      { name: '.env', files: ['.env'] },
      { name: 'license', files: ['license.json'] },
      { name: 'the rest', files: ['backup.json', 'checksums.json', 'superuser.password'] },
    ];
    const findings: string[] = [];
    for (const flip of await chooseFlips(backup, backupPlaces, flips ?? 0, random)) {
      const outcome = await flipBackup(source, backup, flip);
      inBackup.push({ flip, outcome });
      if (outcome !== 'found') findings.push(`${outcome}: ${JSON.stringify(flip)}`);
    }
    say(`${inBackup.length} bytes of a backup changed`);

    const [{ next = '' } = {}] = (await source.inApp(
      'select pg_snapshot_xmax(pg_current_snapshot()) as next',
    )) as {
      next?: string;
    }[];
    const content = await contentOf(source);
    const data = join(clusterFolder(source.home), 'data');
    const places = [
      {
        name: 'heap',
        files: await relations(source, `relkind = 'r' and relnamespace = 'public'::regnamespace`),
      },
      { name: 'TOAST', files: await relations(source, `relkind = 't'`) },
      {
        name: 'index',
        files: await relations(source, `relkind = 'i' and relnamespace = 'public'::regnamespace`),
      },
      { name: 'catalog', files: await relations(source, `relnamespace = 'pg_catalog'::regnamespace`) },
      { name: 'pg_xact', files: ['pg_xact/0000'], endsAt: Math.floor(Number(next) / 4) },
    ];
    await source.cluster.stop();
    await copyTree(data, join(source.path, 'pristine'));
    const chosen = await chooseFlips(data, places, flips ?? 0, random);
    await source.cluster.start();
    const live: { flip: Flip; outcome: Outcome }[] = [];
    for (const flip of chosen) {
      const [outcome, why] = await flipLive(source, flip, content);
      live.push({ flip, outcome });
      say(`${live.length} of ${chosen.length}: ${flip.path} at ${flip.offset}: ${outcome}: ${why}`);
      if (outcome !== 'found') findings.push(`${outcome}: ${flip.path} at ${flip.offset}: ${why}`);
    }
    const all = count([...inBackup, ...live].map(({ outcome }) => outcome));
    return {
      title: `Backups of ${rows} rows, and ${flips} changed bytes each in a backup and in a live cluster (seed ${seed})`,
      tables: {
        'A backup': {
          taken: {
            'median s': median(times) / 1000,
            MB: sizes.reduce((sum, size) => sum + size, 0) / 1e6,
            files: sizes.length,
          },
        },
        'Bytes of a backup': byPlace(inBackup),
        'Bytes of a live cluster': byPlace(live),
      },
      findings,
      aims: [{ what: 'bytes that nobody noticed', value: all.missed, aim: '0', met: all.missed === 0 }],
    };
  },
};
