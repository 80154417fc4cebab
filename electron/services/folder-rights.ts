import { win32 } from 'node:path';
import type { ComponentName } from '#contracts/stack.ts';
import { serviceSid } from '#runtime/windows/service-sid.ts';
import type { frugalServices } from './service-env.ts';
import { serviceNames } from './service-names.ts';

/** One run of icacls. */
export type RightsCommand = readonly string[];

type Grants = Readonly<Record<ComponentName, readonly Grant[]>>;

interface Grant {
  readonly path: string;
  /** As icacls writes them; (OI)(CI) goes on to what lies in the folder. */
  readonly rights: string;
}

const change = 'M';
const whole = '(OI)(CI)M';
const look = 'RX';
const readWhole = '(OI)(CI)RX';
/** RX in full, and new files: what lies in the folder is neither read nor written by it. */
const lookAndMake = '(RD,X,REA,RA,RC,S,WD)';

/** Whoever makes a file, and Windows puts the maker's own number in its place (winnt.h: SECURITY_CREATOR_OWNER_RID). */
const creatorOwner = 'S-1-3-0';

const makersOwn = '(OI)(CI)(IO)M';

/** The folders that log files are made in; the second one is the service host's. */
const logFolders = (home: string): readonly string[] => [
  win32.join(home, 'logs'),
  win32.join(home, 'logs', 'service-host'),
];

/** A component's log files and its service's, with those that are put aside; app mode has made them, as somebody else. */
const isLogOf = (service: (typeof frugalServices)[number], file: string): boolean =>
  new RegExp(`^(?:service-)?${service}\\.log(?:\\.\\d+)?$`).test(file);

/** What each service may touch of the home. The folder itself was closed to everybody else when it was made. */
const grantsOf = (home: string, logFiles: readonly string[]): Grants => {
  const frugal = (service: (typeof frugalServices)[number]): readonly Grant[] => [
    { path: home, rights: look },
    { path: win32.join(home, 'services', service), rights: readWhole },
    ...logFolders(home).map((path) => ({ path, rights: lookAndMake })),
    ...logFiles
      .filter((file) => isLogOf(service, file))
      .map((file) => ({ path: win32.join(home, 'logs', file), rights: change })),
  ];
  return {
    postgres: [...frugal('postgres'), { path: win32.join(home, 'postgres'), rights: '(OI)(CI)F' }],
    // It keeps the license, the backups and the record of who holds the home; and it shows all logs.
    api: [{ path: home, rights: whole }],
    bot: frugal('bot'),
  };
};

/**
 * What to run so that the services may work on the home, and nothing more.
 * @param logFiles the names of what lies in the home's logs now
 */
export const grantCommands = (home: string, logFiles: readonly string[]): readonly RightsCommand[] =>
  commands(home, logFiles, (sid, { path, rights }) => [path, '/grant:r', `*${sid}:${rights}`]);

/** Takes those rights back. */
export const revokeCommands = (home: string, logFiles: readonly string[]): readonly RightsCommand[] =>
  commands(home, logFiles, (sid, { path }) => [path, '/remove:g', `*${sid}`]);

const commands = (
  home: string,
  logFiles: readonly string[],
  command: (sid: string, grant: Grant) => RightsCommand,
) => {
  const services = Object.entries(grantsOf(home, logFiles)).flatMap(([component, grants]) => {
    const sid = serviceSid(serviceNames[component as ComponentName]);
    return grants.map((grant) => command(sid, grant));
  });
  // A log file goes on being its maker's, across the service's next start.
  const [logs = ''] = logFolders(home);
  return [...services, command(creatorOwner, { path: logs, rights: makersOwn })];
};
