import { type ComponentName, componentNames, type StackStatus } from '#contracts/stack.ts';
import { logsFolder } from '#runtime/home.ts';
import { windowsServices } from '#runtime/windows/service-control.ts';
import { serviceNames } from '../services/service-names.ts';
import { readDatabaseFacts } from './database-facts.ts';
import { listFiles } from './home-files.ts';
import type { InstallationFacts } from './installation-facts.ts';
import { readLicenseStatus } from './license-facts.ts';
import { crashReports, diskFacts, healthFacts, portFacts, versionFacts } from './machine-facts.ts';

/** Where the facts of a bundle come from. */
export interface BundleSources {
  readonly home: string;
  /** Versions of the program that makes it, in addition to those of the product and of Node. */
  readonly program: Readonly<Record<string, string>>;
  /** Null when the stack does not run. */
  readonly stack: () => Promise<StackStatus | null> | StackStatus;
  /** Where the system puts the dumps of a crashed desktop; null where there are none. */
  readonly crashFolder: string | null;
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
  { home, program, stack, crashFolder }: BundleSources,
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
    { file: 'disk.json', holds: 'room on the disk', read: () => diskFacts(home) },
    {
      file: 'database.json',
      holds: 'size of the database and of its tables, and its migrations; no rows',
      read: () => configured(readDatabaseFacts),
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
