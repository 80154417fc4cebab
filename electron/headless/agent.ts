import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { type GameId, games } from '#contracts/servers/games.ts';
import type { CommandContext } from './command-context.ts';
import { CommandFailure, exitCodes } from './exit-codes.ts';
import { readInstallation } from './installation.ts';
import { askLocalApi } from './local-api.ts';

/**
 * `castellan agent config SERVER`: writes the config.json of a server's Game Agent, with the shared secret in it. It goes
 * into a file and not to the terminal, where it would scroll past and be copied along.
 */
export const writeAgentConfig = async (
  { home, terminal }: CommandContext,
  named: string,
  {
    out,
    apiUrl,
  }: {
    readonly out: string;
    readonly apiUrl?: string;
  },
): Promise<void> => {
  const installation = await readInstallation(home);
  const { rows } = await askLocalApi(home, gameServersHttp.list);
  const wanted = named.normalize('NFC').toLowerCase();
  const server = rows.find(({ id, name }) => id === named || name.normalize('NFC').toLowerCase() === wanted);
  if (!server) throw new CommandFailure(`There is no game server "${named}".`, exitCodes.usage);
  const config = {
    apiUrl: apiUrl ?? installation.apiOrigin,
    useWebSocket: true,
    serverId: server.id,
    secret: installation.gameAgentSecret.reveal(),
    game: server.game,
    console: { host: '127.0.0.1', port: server.port, password: '' },
  };
  const file = resolve(out);
  await writeNew(file, `${JSON.stringify(config, null, 2)}\n`);
  terminal.say(`Written: ${file}. It holds the shared secret of your agents, so let no one else read it.
${nextSteps(server.game)}`);
};

const nextSteps = (game: GameId): string => `Fill in two values:
  console.password  the console password of ${games[game].name}; it never leaves that machine
  apiUrl            the address at which that machine reaches Castellan
Then run beside the game: node agent.mjs --config config.json --check`;

const writeNew = async (file: string, text: string): Promise<void> => {
  try {
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new CommandFailure(`${file} already exists and was not changed. Choose another file with --out.`);
    throw new CommandFailure(`${file} cannot be written: ${message}`);
  }
};
