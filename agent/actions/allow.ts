import { agentHome, isServerId } from '../configuration/agent-home.ts';
import { changeConfig } from '../configuration/change-config.ts';
import { savesConfig, savesSection } from '../configuration/saves-section.ts';
import { ServiceError } from '../service/service-error.ts';
import { readServerSettings } from '../setup/server-settings.ts';
import type { Action } from './action.ts';
import { readHomeArguments } from './home-arguments.ts';
import { onlyServer } from './setup.ts';

const help = `Says whether the panel may schedule backups of a game server's worlds. A running agent applies it within seconds.

  --backups <yes|no>  yes: the panel sets hour, number and days, never below "keep" and "days" of this machine
                      no: the panel's schedule ends, and the settings of this machine apply
  --server <id>       the ID of the server, if this machine has several
  --home <folder>     the folder for the agent's settings
`;

type Json = Record<string, unknown>;

/** @returns what applies now, for people */
const allowBackups = async (path: string, backups: boolean): Promise<string> => {
  let applies = '';
  await changeConfig(path, (kept) => {
    const { keep, days, nightlyAtMinute } = savesConfig(savesSection.safeParse(kept.saves).data, '', '');
    const server = kept.server as Json & { allow?: Json };
    const { backups: _, ...allowed } = server.allow ?? {};
    applies = backups
      ? `The panel may schedule backups of the worlds. At least ${keep} backups and ${days} days are kept, as "saves" in ${path} says.`
      : `The panel does not schedule backups. What "saves" in ${path} says applies: ${nightlyAtMinute === null ? 'no' : 'a'} nightly backup, and the next backup deletes all but the newest ${keep}.`;
    // An earlier version of the agent does not start with it.
    return { server: { ...server, allow: { ...allowed, ...(backups && { backups }) } } };
  });
  return applies;
};

export const allow: Action = {
  usage: '--backups <yes|no> [--server <id>] [--home <folder>]',
  summary: 'let the panel schedule backups of the worlds, or no longer',
  async run(args, context) {
    const values = readHomeArguments(args, { server: { type: 'string' }, backups: { type: 'string' } });
    if (values?.help) {
      context.say(help);
      return 0;
    }
    const isFit = values?.server === undefined || isServerId(values.server);
    if (!isFit || (values?.backups !== 'yes' && values?.backups !== 'no')) {
      context.complain('These arguments are wrong. See castellan-agent allow --help.');
      return 2;
    }
    const home = agentHome(values.home ?? null, context.environment);
    const serverId = values.server ?? (await onlyServer(home, context));
    if (serverId === null) return 2;
    const path = home.configPath(serverId);
    try {
      if (!(await readServerSettings(path))?.server) {
        context.complain(`${path} is missing or names no server.folder. Run setup first.`);
        return 1;
      }
      context.say(`${await allowBackups(path, values.backups === 'yes')}\n`);
      return 0;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (!(error instanceof ServiceError) && code === undefined) throw error;
      context.complain(message);
      return 1;
    }
  },
};
