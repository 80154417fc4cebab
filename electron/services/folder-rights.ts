import { win32 } from 'node:path';
import type { ComponentName } from '#contracts/operations/stack.ts';
import { serviceNames } from '#runtime/windows/service-names.ts';
import { serviceSid } from '#runtime/windows/service-sid.ts';
import type { frugalServices } from './service-env.ts';

/** One run of icacls. */
export type RightsCommand = readonly string[];

type Grants = Readonly<Record<ComponentName, readonly Grant[]>>;

interface Grant {
  readonly path: string;
  /** In icacls notation; (OI)(CI) is inherited by the folder's contents. */
  readonly rights: string;
}

const change = 'M';
const whole = '(OI)(CI)M';
const look = 'RX';
const readWhole = '(OI)(CI)RX';
/** RX spelled out, plus creating files; it covers only the folder itself, not the files in it. */
const lookAndMake = '(RD,X,REA,RA,RC,S,WD)';

/** The creator of a file, replaced by Windows with the creator's own number (winnt.h: SECURITY_CREATOR_OWNER_RID). */
const creatorOwner = 'S-1-3-0';

const makersOwn = '(OI)(CI)(IO)M';

/** The folders in which log files are created; the second one is the service host's. */
const logFolders = (home: string): readonly string[] => [
  win32.join(home, 'logs'),
  win32.join(home, 'logs', 'service-host'),
];

/** A component's log files and its service's, including rotated ones; app mode has created them, under another account. */
const isLogOf = (service: (typeof frugalServices)[number], file: string): boolean =>
  new RegExp(`^(?:service-)?${service}\\.log(?:\\.\\d+)?$`).test(file);

/** What each service may access in the data folder. The folder itself was closed to everyone else when it was created. */
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
    // It keeps the license, the backups and the record of who holds the data folder; and it shows all logs.
    api: [{ path: home, rights: whole }],
    bot: frugal('bot'),
  };
};

/**
 * The commands that let the services work on the data folder, and do nothing more.
 * @param logFiles the names of the current files in the data folder's logs
 */
export const grantCommands = (home: string, logFiles: readonly string[]): readonly RightsCommand[] =>
  commands(home, logFiles, (sid, { path, rights }) => [path, '/grant:r', `*${sid}:${rights}`]);

/** Revokes those permissions. */
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
  // A log file still belongs to its creator after the service's next start.
  const [logs = ''] = logFolders(home);
  return [...services, command(creatorOwner, { path: logs, rights: makersOwn })];
};
