import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ComponentName } from '#contracts/operations/stack.ts';
import { logsFolder } from '#runtime/home.ts';
import { StartupError } from '#runtime/program.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { awaitState, stopService } from '#runtime/windows/await-state.ts';
import type { ServiceControl } from '#runtime/windows/service-control.ts';
import { serviceNames } from '#runtime/windows/service-names.ts';
import { type RunSystemProgram, runSystemProgram } from '#runtime/windows/system-program.ts';
import { askApi } from '../stack/api-health.ts';
import { databaseFault } from '../stack/database-fault.ts';
import { postgresFolder } from '../stack/operator-role.ts';
import type { PerformStep } from './carry-out.ts';
import { grantCommands, type RightsCommand, revokeCommands } from './folder-rights.ts';
import type { MoveStep } from './move-plan.ts';
import { demandPlain } from './plain-path.ts';
import { serviceAccount } from './service-account.ts';
import { removeServiceEnvs, writeServiceEnvs } from './service-env.ts';

/** What Windows's list of services shows beside the name. */
const serviceDescriptions: Readonly<Record<ComponentName, string>> = {
  postgres: 'The database of Castellan.',
  api: 'The API of Castellan: game servers, deliveries, the panel.',
  bot: 'The Discord bot of Castellan.',
};

/** The stack in app mode, for the program that runs it to stop and start. */
export interface AppStack {
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface MoveContext {
  readonly home: string;
  readonly control: ServiceControl;
  /** Null where only services are to run. */
  readonly app: AppStack | null;
  readonly run?: RunSystemProgram;
  /** Called before each step, which waits for it. */
  readonly onStep?: (step: MoveStep) => void | Promise<void>;
}

/**
 * icacls applies a folder's permissions to its contents, one file after another: a million of them, as in a data folder full
 * of backups, at the thousand per second of a slow disk with a virus scanner.
 */
const rightsTimeoutMs = 20 * 60_000;

/** Performs the steps of a move. */
export const performStep = ({
  home,
  control,
  app,
  run = runSystemProgram,
  onStep = () => undefined,
}: MoveContext): PerformStep => {
  const logs = logsFolder(home);
  const rights = async (commands: readonly RightsCommand[]) => {
    for (const command of commands) await run('icacls.exe', command, rightsTimeoutMs);
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
      case 'grant-rights': {
        const made = [postgresFolder(home), join(logs, 'service-host')];
        await demandPlain([home, logs, ...made]);
        // Permissions can be given only on what exists.
        for (const folder of made) await mkdir(folder, { recursive: true });
        const logFiles = await readdir(logs);
        await demandPlain(logFiles.map((file) => join(logs, file)));
        return rights(grantCommands(home, logFiles));
      }
      case 'revoke-rights':
        // What was never made, as in an installation that broke off, has none to revoke.
        return rights(
          revokeCommands(home, await readdir(logs).catch(() => [])).filter(([path = '']) => existsSync(path)),
        );
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

/** A first start creates the database; a later one may have to recover it. */
const healthDeadlineMs = 180_000;
const askMs = 5000;
const pollMs = 500;

/** Resolves when the database answers, and the API works or says that it waits for a license. */
const awaitHealth = async (home: string): Promise<void> => {
  const { apiOrigin, databaseUrl } = await readStackConfig(home);
  const until = performance.now() + healthDeadlineMs;
  for (;;) {
    const fault = (await databaseFault(databaseUrl)) ?? (await apiFault(apiOrigin));
    if (fault === null) return;
    if (performance.now() > until)
      throw new StartupError(
        `Castellan was not ready within ${healthDeadlineMs / 1000} s: ${fault}. See the logs in ${join(home, 'logs')}.`,
      );
    await delay(pollMs);
  }
};

const apiFault = async (origin: string): Promise<string | null> => {
  const health = await askApi(origin, AbortSignal.timeout(askMs)).catch(() => null);
  if (health === null) return 'the API does not answer';
  return health.condition === 'down' ? `the API: ${health.detail ?? 'it cannot do its work'}` : null;
};
