import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddressTest } from '#contracts/operations/outside-addresses.ts';
import { type ComponentName, componentNames, type StackStatus } from '#contracts/operations/stack.ts';
import { logsFolder } from '#runtime/home.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { windowsServices } from '#runtime/windows/service-control.ts';
import { serviceNames } from '#runtime/windows/service-names.ts';
import type { InstallationFacts } from './installation-facts.ts';
import { readLicenseStatus } from './license-facts.ts';
import { crashReports, diskFacts, healthFacts, portFacts, versionFacts } from './machine-facts.ts';
import { askDatabase } from './read-only-database.ts';

/** A broken or very large data folder must not take for ever, nor fill a bundle. */
const mostFiles = 20_000;

/** Every file of a folder with its size and its last change, one per line; no contents. */
const listFiles = async (folder: string): Promise<string> => {
  const lines: string[] = [];
  let left = mostFiles;
  const walk = async (path: string, shown: string): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      lines.push(`${shown}  cannot be read (${error.code})`);
      return [];
    });
    for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name))) {
      if (left === 0) return;
      left -= 1;
      const name = `${shown}${oneLine(entry.name)}`;
      if (entry.isDirectory()) await walk(join(path, entry.name), `${name}/`);
      else lines.push(`${name}  ${await describeFile(join(path, entry.name))}`);
    }
  };
  await walk(folder, '');
  if (left === 0) lines.push(`… (more than ${mostFiles})`);
  return `${lines.join('\n')}\n`;
};

/** A name may contain anything but a slash. */
const oneLine = (name: string): string => name.replace(/\p{Cc}/gu, '�');

const describeFile = async (path: string): Promise<string> => {
  try {
    const about = await lstat(path);
    const kind = about.isFile() ? '' : about.isSymbolicLink() ? ', a link' : ', no plain file';
    return `${about.size} bytes, ${about.mtime.toISOString()}${kind}`;
  } catch (error) {
    // Also when it is gone: Postgres creates and removes files all the time.
    return `cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
};

/** The size of the database, and its migrations; read only, none of its rows. */
const databaseQuestions = {
  version: 'select version()',
  bytes: 'select pg_database_size(current_database())::text as bytes',
  connections:
    'select state, count(*)::int as count from pg_stat_activity where datname = current_database() group by 1',
  migrations: 'select name, timestamp from public.schema_migrations order by name',
  tables: `select schemaname || '.' || relname as name, n_live_tup::text as rows_about,
      pg_total_relation_size(relid)::text as bytes
    from pg_stat_user_tables order by pg_total_relation_size(relid) desc limit 60`,
} as const;

/** @throws when it does not answer */
const readDatabaseFacts = (home: string, config: StackConfig): Promise<object> =>
  askDatabase(home, config, async (client) => {
    const facts: Record<string, unknown> = {};
    for (const [name, question] of Object.entries(databaseQuestions))
      facts[name] = await client.query(question).then(
        ({ rows }) => rows,
        (error: Error) => `could not be collected: ${error.message}`,
      );
    return facts;
  });

/** Where the facts of a bundle come from. */
export interface BundleSources {
  readonly home: string;
  /** Versions of the program that makes it, in addition to those of the product and of Node. */
  readonly program: Readonly<Record<string, string>>;
  /** Null when the stack does not run. */
  readonly stack: () => Promise<StackStatus | null> | StackStatus;
  /** Where the system puts the dumps of a crashed desktop; null where there are none. */
  readonly crashFolder: string | null;
  /** Tests each address that the installation uses on the internet; null: they are not tested. */
  readonly addresses: (() => Promise<readonly AddressTest[]>) | null;
}

/** One file of a bundle. */
export interface BundleSection {
  readonly file: string;
  /** Describes the content for people. */
  readonly holds: string;
  /** Text is stored unchanged, anything else as JSON; null: there is nothing of the kind here. @throws why it is unavailable */
  readonly read: () => Promise<unknown> | unknown;
}

export const bundleSections = (
  { home, program, stack, crashFolder, addresses }: BundleSources,
  { config, settings }: InstallationFacts,
): readonly BundleSection[] => {
  const configured = <T>(read: (known: NonNullable<typeof config>) => Promise<T>) => {
    if (config === null) throw new Error('the settings cannot be used; settings.txt says why');
    return read(config);
  };
  return [
    {
      file: 'versions.json',
      holds: 'versions of Castellan, of Node, of the system; memory, language, time zone',
      read: () => versionFacts(home, program),
    },
    {
      file: 'stack.json',
      holds: 'state of each part, why, and the last lines of one that stopped',
      read: async () => (await stack()) ?? { nobodyRunsIt: true },
    },
    {
      file: 'health.json',
      holds: 'what the API says of its health; contains the names of your game servers',
      read: () => configured(healthFacts),
    },
    {
      file: 'license.json',
      holds: 'state, dates and IDs of the license, the beginning of the hardware ID; no key, no token',
      read: () => configured((known) => readLicenseStatus(home, known)),
    },
    {
      file: 'settings.txt',
      holds: 'which settings are set in .env, with the values of those that are not secret',
      read: () => settings,
    },
    { file: 'ports.json', holds: 'the ports, and which program uses them', read: () => portFacts(config) },
    {
      file: 'addresses.json',
      holds: 'how each address on the internet was reached just now, or what stands in the way',
      read: () => addresses?.() ?? null,
    },
    { file: 'disk.json', holds: 'room on the disk', read: () => diskFacts(home) },
    {
      file: 'database.json',
      holds: 'size of the database and of its tables, and its migrations; no rows',
      read: () => configured((known) => readDatabaseFacts(home, known)),
    },
    {
      file: 'services.json',
      holds: 'the Windows Services, and how each stands',
      read: () => (process.platform === 'win32' ? serviceFacts() : null),
    },
    {
      file: 'crash-reports.json',
      holds: `names, sizes and times of crash reports; they hold memory and stay here${crashFolder === null ? '' : `, in ${crashFolder}`}`,
      read: () => (crashFolder === null ? null : crashReports(crashFolder)),
    },
    {
      file: 'files.txt',
      holds: `names, sizes and times of the files in ${home}; no contents`,
      read: () => listFiles(home),
    },
    {
      file: 'logs/',
      holds: `the newest part of each log file in ${logsFolder(home)}; names and IP addresses of players, and names of those who sign in, can be in it`,
      read: () => null,
    },
  ];
};

const serviceFacts = async (): Promise<Readonly<Record<string, string>>> => {
  const control = windowsServices();
  const state = async (name: ComponentName) => [
    serviceNames[name],
    await control
      .state(serviceNames[name])
      .catch((error: Error) => `could not be collected: ${error.message}`),
  ];
  return Object.fromEntries(await Promise.all(componentNames.map(state)));
};
