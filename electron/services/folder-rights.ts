import { win32 } from 'node:path';
import type { ComponentName } from '#contracts/stack.ts';
import { serviceSid } from './service-account.ts';
import type { frugalServices } from './service-env.ts';
import { serviceNames } from './service-names.ts';

/** One run of icacls. */
export type RightsCommand = readonly string[];

interface Grant {
  readonly path: string;
  /** As icacls writes them; (OI)(CI) goes on to what lies in the folder. */
  readonly rights: string;
}

const whole = '(OI)(CI)M';
const look = 'RX';
const readWhole = '(OI)(CI)RX';

/** What each service may touch of the home. The folder itself was closed to everybody else when it was made. */
const grantsOf = (home: string): Readonly<Record<ComponentName, readonly Grant[]>> => {
  const frugal = (service: (typeof frugalServices)[number]): readonly Grant[] => [
    { path: home, rights: look },
    { path: win32.join(home, 'services', service), rights: readWhole },
    { path: win32.join(home, 'logs'), rights: whole },
  ];
  return {
    postgres: [...frugal('postgres'), { path: win32.join(home, 'postgres'), rights: '(OI)(CI)F' }],
    // It keeps the license, the backups and the record of who holds the home.
    api: [{ path: home, rights: whole }],
    bot: frugal('bot'),
  };
};

/** What to run so that the services may work on the home, and nothing more. */
export const grantCommands = (home: string): readonly RightsCommand[] =>
  commands(home, (sid, { path, rights }) => [path, '/grant:r', `*${sid}:${rights}`]);

/** Takes those rights back. */
export const revokeCommands = (home: string): readonly RightsCommand[] =>
  commands(home, (sid, { path }) => [path, '/remove:g', `*${sid}`]);

const commands = (home: string, command: (sid: string, grant: Grant) => RightsCommand) =>
  Object.entries(grantsOf(home)).flatMap(([component, grants]) => {
    const sid = serviceSid(serviceNames[component as ComponentName]);
    return grants.map((grant) => command(sid, grant));
  });
