import type { GameServer } from '#contracts/game-servers.ts';

export interface AgentTemplateOptions {
  readonly server: Pick<GameServer, 'id' | 'game' | 'port'>;
  /** Where this page came from. */
  readonly apiUrl: string;
  /** What stands in place of what only the reader knows. */
  readonly secret: string;
  readonly password: string;
}

/** The config.json of a server's Game Agent, whose secrets are still to be filled in. */
export const agentTemplate = ({ server, apiUrl, secret, password }: AgentTemplateOptions): string =>
  `${JSON.stringify(
    {
      apiUrl,
      useWebSocket: true,
      serverId: server.id,
      secret,
      game: server.game,
      console: { host: '127.0.0.1', port: server.port, password },
    },
    null,
    2,
  )}\n`;

/** An address that no other machine can reach. */
export const isLoopback = (apiUrl: string): boolean => {
  const { hostname } = new URL(apiUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
};

/** A name as one argument in the shells of every platform; the id where a name cannot be one. */
export const asArgument = ({ id, name }: Pick<GameServer, 'id' | 'name'>): string =>
  /^[\p{L}\p{N} ._-]+$/u.test(name) && !name.startsWith('-') ? `"${name}"` : id;
