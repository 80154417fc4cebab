import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { logsFolder } from '#runtime/home.ts';
import { StartupError } from '#runtime/program.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { awaitState, stopService } from '#runtime/windows/await-state.ts';
import type { ServiceControl } from '#runtime/windows/service-control.ts';
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
import { serviceDescriptions, serviceNames } from './service-names.ts';

/** The stack in app mode, as whoever runs it can stop and start it. */
export interface AppStack {
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface MoveContext {
  readonly home: string;
  readonly control: ServiceControl;
  /** Null where nothing but services is to run. */
  readonly app: AppStack | null;
  readonly run?: RunSystemProgram;
  /** Told of each step before it begins, which waits for it. */
  readonly onStep?: (step: MoveStep) => void | Promise<void>;
}

/**
 * icacls hands a folder's rights on to whatever lies in it, one file after the other: a million of them, such as a home
 * full of backups has, at the thousand a second that a slow disk with a virus scanner takes.
 */
const rightsTimeoutMs = 20 * 60_000;

/** The effects of the steps of a move. */
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
        // Rights can be given only to what is there.
        for (const folder of made) await mkdir(folder, { recursive: true });
        const logFiles = await readdir(logs);
        await demandPlain(logFiles.map((file) => join(logs, file)));
        return rights(grantCommands(home, logFiles));
      }
      case 'revoke-rights':
        // What was never made, as in an installation that broke off, has none to be taken.
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

const apiFault = async (origin: string): Promise<string | null> => {
  const health = await askApi(origin, AbortSignal.timeout(askMs)).catch(() => null);
  if (health === null) return 'the API does not answer';
  return health.condition === 'down' ? `the API: ${health.detail ?? 'it cannot do its work'}` : null;
};
