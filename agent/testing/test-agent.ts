import { mkdir } from 'node:fs/promises';
import { createLog } from '#runtime/log.ts';
import { nothingSet } from '#runtime/outside/outside.ts';
import { Secret } from '#runtime/secret.ts';
import { startAgent } from '../agent.ts';
import type { AgentConfig } from '../configuration/config.ts';
import { modsConfig } from '../configuration/mods-section.ts';
import { savesConfig } from '../configuration/saves-section.ts';
import { peerSecret } from './api-peer.ts';

export interface TestAgent extends AsyncDisposable {
  /** Its log, as JSON lines. */
  readonly logged: string[];
}

export interface TestAgentOptions {
  readonly config: Pick<AgentConfig, 'apiUrl' | 'console' | 'stateFolder'> & Partial<AgentConfig>;
  readonly timing?: Parameters<typeof startAgent>[0]['timing'];
  readonly wakes?: Parameters<typeof startAgent>[0]['wakes'];
  readonly handlers?: Parameters<typeof startAgent>[0]['handlers'];
  readonly powerTiming?: Parameters<typeof startAgent>[0]['powerTiming'];
  readonly holderProgram?: Parameters<typeof startAgent>[0]['holderProgram'];
}

/** The agent inside this process, quick to retry. */
export const startTestAgent = async (options: TestAgentOptions): Promise<TestAgent> => {
  const { config, timing, wakes, handlers, powerTiming, holderProgram } = options;
  await mkdir(config.stateFolder, { recursive: true });
  const logged: string[] = [];
  const agent = await startAgent({
    config: {
      certificatePins: [],
      useWebSocket: true,
      serverId: 'server-1',
      secret: new Secret(peerSecret),
      game: 'minecraft',
      logFile: null,
      history: { days: 7, megabytes: 50 },
      server: null,
      survivorsFolder: null,
      saves: savesConfig(undefined, config.stateFolder, config.stateFolder),
      mods: modsConfig(undefined, config.stateFolder, config.stateFolder),
      outside: nothingSet,
      ...config,
    },
    log: createLog({ component: 'agent', destination: { write: (line) => void logged.push(line) } }),
    onFailure: (error) => void logged.push(`failure: ${error}`),
    timing: { reconnectMs: () => 20, slowMs: (leastMs) => leastMs, websocketRetryMs: () => 150, ...timing },
    linkTiming: { retryDelayMs: () => 50, leastGapMs: 0 },
    askMs: 50,
    logPollMs: 20,
    wakes,
    ...(handlers ? { handlers } : {}),
    ...(powerTiming ? { powerTiming } : {}),
    ...(holderProgram ? { holderProgram } : {}),
  });
  return { logged, [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose]() };
};
