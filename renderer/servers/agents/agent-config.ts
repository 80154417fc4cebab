import type { GameServer } from '#contracts/servers/game-servers.ts';
import { isApiAddress } from '../../kit/api/own-address.ts';

/** The agent's config.json without its secrets, as agent/configuration/config.ts reads it. */
export const agentConfig = (options: {
  readonly server: Pick<GameServer, 'id' | 'game' | 'port'>;
  readonly apiUrl: string;
  /** A placeholder for a value that the panel does not know. */
  readonly secret: string;
  readonly password: string;
}): string => {
  const { server, apiUrl, secret, password } = options;
  const config = {
    apiUrl,
    useWebSocket: true,
    serverId: server.id,
    secret,
    game: server.game,
    console: { host: '127.0.0.1', port: server.port, password },
  };
  return `${JSON.stringify(config, null, 2)}\n`;
};

/** Reachable only from the machine itself. */
export const isLoopbackAddress = (text: string): boolean =>
  URL.canParse(text) && /^(?:localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(new URL(text).hostname);

/** Between double quotes, in a shell of any system. */
const plainName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u;

/** The command that writes the whole config.json on Castellan's machine. */
export const configCommand = ({ id, name }: Pick<GameServer, 'id' | 'name'>, apiUrl: string): string => {
  const given =
    isApiAddress(apiUrl) && !isLoopbackAddress(apiUrl) ? ` --api-url ${new URL(apiUrl).origin}` : '';
  return `castellan agent config ${plainName.test(name) ? `"${name}"` : id}${given}`;
};

export const checkCommand = 'node agent.mjs --config config.json --check';
export const startCommand = 'node agent.mjs --config config.json';
