import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { GameId } from '#contracts/servers/games.ts';
import { type AgentProcess, startAgentFrom, writeConfig } from '../../agent/testing/agent-process.ts';

export interface AgentBesideOptions {
  readonly apiUrl: string;
  /** GAME_AGENT_SECRET. */
  readonly secret: string;
  readonly serverId: string;
  readonly game: GameId;
  readonly console: { readonly port: number; readonly password: string };
  /** Holds a folder for each agent's state. */
  readonly folder: string;
  /** The agent's program; by default its source. */
  readonly program?: string;
}

/** A Game Agent next to a game that can be killed and started again with the same state. */
export interface AgentBeside extends AsyncDisposable {
  readonly stateFolder: string;
  /** @param between runs after it has ended and before it starts again */
  restart(signal: NodeJS.Signals, between?: () => Promise<void>): Promise<void>;
}

export const startAgentBeside = async (options: AgentBesideOptions): Promise<AgentBeside> => {
  const { apiUrl, secret, serverId, game, program } = options;
  const stateFolder = join(options.folder, serverId);
  await mkdir(stateFolder, { recursive: true });
  const console = { host: '127.0.0.1', ...options.console };
  const config = await writeConfig(stateFolder, { apiUrl, serverId, secret, game, console, stateFolder });
  const start = () => startAgentFrom(program, '--config', config);
  let agent: AgentProcess = start();
  return {
    stateFolder,
    async restart(signal, between) {
      agent.kill(signal);
      await agent.exited;
      await between?.();
      agent = start();
    },
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
};
