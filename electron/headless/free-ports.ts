import { setTimeout as delay } from 'node:timers/promises';
import { readEnvFile } from '#runtime/env.ts';
import { findFreePort, tryPort } from '#runtime/ports.ts';
import { readStackConfig, stackEnvPath } from '#runtime/stack-config.ts';
import { writeEnv } from '../network/change-env.ts';
import { isOpenHost, networkChanges, networkVariables } from '../network/network-settings.ts';
import { readDatabaseUrl } from '../stack/database-url.ts';

/** After this time, what a killed stack has left behind is gone. */
const leftoversMs = 5000;
const pollMs = 250;

/** Writes free ports into `.env` in place of those that other programs have. @returns what was changed, in words */
export const takeFreePorts = async (home: string): Promise<string[]> => {
  const { apiPort, apiHosts, databaseUrl } = await readStackConfig(home);
  const { port: postgresPort } = readDatabaseUrl(databaseUrl);
  const api = await freeInsteadOf(apiPort, apiHosts[0], null);
  const postgres = await freeInsteadOf(postgresPort, '127.0.0.1', api);
  const variables = networkVariables(await readEnvFile(stackEnvPath(home)));
  const wanted = { apiPort: api, postgresPort: postgres, isOpen: apiHosts.some(isOpenHost) };
  const { changes } = networkChanges(variables, wanted);
  if (Object.keys(changes).length > 0) await writeEnv(home, changes);
  return [
    ...(api === apiPort ? [] : [`port ${apiPort} is in use, so the API gets ${api}`]),
    ...(postgres === postgresPort ? [] : [`port ${postgresPort} is in use, so Postgres gets ${postgres}`]),
  ];
};

/** The port itself when it is free, or when no other one is. */
const freeInsteadOf = async (
  port: number,
  host: string | undefined,
  used: number | null,
): Promise<number> => {
  const until = performance.now() + leftoversMs;
  while ((await tryPort(port, host)) !== null) {
    if (performance.now() < until) {
      await delay(pollMs);
      continue;
    }
    const free = (await findFreePort(port + 1, host)) ?? port;
    return free === used ? ((await findFreePort(free + 1, host)) ?? port) : free;
  }
  return port;
};
