import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { StartupError } from '#runtime/program.ts';
import type { Secret } from '#runtime/secret.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { type RunSystemProgram, runSystemProgram } from '#runtime/windows/system-program.ts';
import { askApi } from '../stack/api-health.ts';
import { postgresFolder } from '../stack/operator-role.ts';
import { awaitState, stopService } from './await-state.ts';
import type { PerformStep } from './carry-out.ts';
import { grantCommands, revokeCommands } from './folder-rights.ts';
import type { MoveStep } from './move-plan.ts';
import { serviceAccount } from './service-account.ts';
import type { ServiceControl } from './service-control.ts';
import { removeServiceEnvs, writeServiceEnvs } from './service-env.ts';
import { serviceDescriptions, serviceNames } from './service-names.ts';

/** The stack in app mode, as whoever runs it can stop and start it. */
export interface AppStack {
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface MoveSurroundings {
  readonly home: string;
  readonly control: ServiceControl;
  /** Null where nothing but services is to run. */
  readonly app: AppStack | null;
  readonly run?: RunSystemProgram;
  /** Told of each step before it begins, which waits for it. */
  readonly onStep?: (step: MoveStep) => void | Promise<void>;
}

/** The effects of the steps of a move. */
export const performStep = ({
  home,
  control,
  app,
  run = runSystemProgram,
  onStep = () => undefined,
}: MoveSurroundings): PerformStep => {
  const rights = async (commands: readonly (readonly string[])[]) => {
    for (const command of commands) await run('icacls.exe', command);
  };
  return async (step) => {
    await onStep(step);
    switch (step.kind) {
      case 'stop-app':
        return app?.stop();
      case 'start-app':
        return app?.start();
      case 'create':
        return create(control, step);
      case 'delete':
        await stopService(control, serviceNames[step.component]);
        return control.delete(serviceNames[step.component]);
      case 'start':
        await control.start(serviceNames[step.component]);
        return awaitState(control, serviceNames[step.component], ['running']);
      case 'stop':
        return stopService(control, serviceNames[step.component]);
      case 'write-envs':
        return writeServiceEnvs(home, await readStackConfig(home));
      case 'remove-envs':
        return removeServiceEnvs(home);
      case 'grant-rights':
        // Rights can be given only to what is there.
        for (const folder of [postgresFolder(home), join(home, 'logs')])
          await mkdir(folder, { recursive: true });
        return rights(grantCommands(home));
      case 'revoke-rights':
        // What was never made, as in an installation that broke off, has none to be taken.
        return rights(revokeCommands(home).filter(([path = '']) => existsSync(path)));
      case 'await-health':
        return awaitHealth(home);
    }
  };
};

/** Whole, or not at all. */
const create = async (
  control: ServiceControl,
  { component, command }: Extract<MoveStep, { kind: 'create' | 'delete' }>,
): Promise<void> => {
  const service = serviceNames[component];
  await control.create(service, command, serviceAccount(service));
  try {
    await control.describe(service, serviceDescriptions[component]);
    await control.recover(service);
  } catch (error) {
    await control.delete(service);
    throw error;
  }
};

/** A first start makes the database; a later one may have to recover it. */
const healthDeadlineMs = 180_000;
const askMs = 5000;
const pollMs = 500;

/** Until the database answers, and the API does its work or says that it waits for a license. */
const awaitHealth = async (home: string): Promise<void> => {
  const { apiOrigin, databaseUrl } = await readStackConfig(home);
  const until = performance.now() + healthDeadlineMs;
  for (;;) {
    const fault = (await databaseFault(databaseUrl)) ?? (await apiFault(apiOrigin));
    if (fault === null) return;
    if (performance.now() > until)
      throw new StartupError(
        `Not healthy within ${healthDeadlineMs / 1000} s: ${fault}. The logs are in ${join(home, 'logs')}.`,
      );
    await delay(pollMs);
  }
};

/** An API without a license says nothing of its database. */
const databaseFault = async (databaseUrl: Secret): Promise<string | null> => {
  const client = new Client({
    connectionString: databaseUrl.reveal(),
    connectionTimeoutMillis: askMs,
    query_timeout: askMs,
  });
  // A server that goes away meanwhile is told by the query's failure.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return null;
  } catch (error) {
    return `the database does not answer (${(error as { code?: string }).code ?? 'no connection'})`;
  } finally {
    await client.end().catch(() => undefined);
  }
};

const apiFault = async (origin: string): Promise<string | null> => {
  const health = await askApi(origin, AbortSignal.timeout(askMs)).catch(() => null);
  if (health === null) return 'the API does not answer';
  return health.condition === 'down' ? `the API: ${health.detail ?? 'it cannot do its work'}` : null;
};
