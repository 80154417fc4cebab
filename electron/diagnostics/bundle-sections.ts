import { lstat, readdir, readFile, statfs } from 'node:fs/promises';
import { arch, cpus, freemem, machine, release, version as systemVersion, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { product } from '#contracts/kernel/product.ts';
import { healthHttp } from '#contracts/operations/health.ts';
import type { AddressTest } from '#contracts/operations/outside-addresses.ts';
import { type ComponentName, componentNames, type StackStatus } from '#contracts/operations/stack.ts';
import { ifAbsent } from '#runtime/absent-file.ts';
import { logsFolder } from '#runtime/home.ts';
import { portOwner, tryPort } from '#runtime/ports.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { version } from '#runtime/version.ts';
import { windowsServices } from '#runtime/windows/service-control.ts';
import { serviceNames } from '#runtime/windows/service-names.ts';
import { readDatabaseUrl } from '../stack/database-url.ts';
import { postgresFolder } from '../stack/operator-role.ts';
import type { InstallationFacts } from './installation-facts.ts';
import { readLicenseStatus } from './license-facts.ts';
import { askDatabase } from './read-only-database.ts';

/** @param program more versions from the caller, such as Electron's */
const versionFacts = async (home: string, program: Readonly<Record<string, string>>) => ({
  product: version,
  node: process.versions.node,
  ...program,
  postgresData: await readFile(join(postgresFolder(home), 'data', 'PG_VERSION'), 'utf8').then(
    (text) => text.trim(),
    () => 'there is none',
  ),
  system: `${process.platform} ${release()}, ${systemVersion()}, ${machine()} (${arch()})`,
  processors: cpus().length,
  memoryBytes: { free: freemem(), all: totalmem() },
  machineUpSeconds: Math.round(uptime()),
  locale: Intl.DateTimeFormat().resolvedOptions().locale,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

const portFacts = async (config: StackConfig | null) => {
  const database = config === null ? product.postgresPort : readDatabaseUrl(config.databaseUrl).port;
  const ports = { api: config?.apiPort ?? product.apiPort, database };
  const entries = Object.entries(ports).map(async ([name, port]) => {
    const obstacle = await tryPort(port);
    return [name, { port, obstacle, owner: obstacle === null ? null : await portOwner(port) }];
  });
  return Object.fromEntries(await Promise.all(entries));
};

const diskFacts = async (home: string) => {
  const { bavail, blocks, bsize } = await statfs(home);
  return { freeBytes: bavail * bsize, allBytes: blocks * bsize };
};

const askMs = 5000;
const longestAnswer = 256 * 1024;

/** What the API tells this machine about itself, unchanged. */
const healthFacts = async ({ apiOrigin }: StackConfig) => {
  const ask = async (path: string) => {
    try {
      const response = await fetch(apiOrigin + path, {
        signal: AbortSignal.timeout(askMs),
        redirect: 'error',
      });
      return { status: response.status, answer: parsed(await beginningOf(response)) };
    } catch (error) {
      const { message, cause } = error as Error;
      return { unanswered: cause instanceof Error ? `${message}: ${cause.message}` : message };
    }
  };
  const answers = Object.values(healthHttp).map(async ({ path }) => [path, await ask(path)]);
  return Object.fromEntries(await Promise.all(answers));
};

/** The program on the port may never stop sending. */
const beginningOf = async ({ body }: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > longestAnswer) break;
  }
  return text.slice(0, longestAnswer);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Another program answers on that port.
    return text;
  }
};

/** Crash reports by name only: they are images of a program's memory, and of the secrets in it. */
const crashReports = async (folder: string) => {
  const names = await readdir(folder, { recursive: true }).catch(ifAbsent([]));
  const reports = names
    .filter((name) => name.endsWith('.dmp'))
    .map(async (name) => {
      const { size, mtime } = await lstat(join(folder, name));
      return { name, bytes: size, at: mtime.toISOString() };
    });
  return Promise.all(reports);
};

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
