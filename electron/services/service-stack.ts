import { join } from 'node:path';
import type { ComponentStatus } from '#contracts/operations/stack.ts';
import { freezeNotePath } from '#runtime/guardian/freeze-note.ts';
import { startGuardian } from '#runtime/guardian/guardian.ts';
import { createLog, type Log } from '#runtime/log.ts';
import { findSystemProxy } from '#runtime/outside/system-proxy.ts';
import { createRedactor } from '#runtime/redact.ts';
import { Secret } from '#runtime/secret.ts';
import { machineProxyEnv, proxySecretsIn, setFoundProxy, systemEnv } from '#runtime/system-env.ts';
import { createComponentLog } from '../logs/component-log.ts';
import { openLogFile } from '../logs/log-file.ts';
import { childHost } from '../stack/child-host.ts';
import { readDatabaseUrl } from '../stack/database-url.ts';
import { postgresFolder } from '../stack/operator-role.ts';
import { postgresHost } from '../stack/postgres-host.ts';
import { reportBot } from '../stack/report-bot.ts';
import type { Component } from '../supervisor/component.ts';
import type { SupervisionLimits } from '../supervisor/supervised-component.ts';
import { createSupervisor, type Supervisor } from '../supervisor/supervisor.ts';
import { type frugalServices, readServiceEnv } from './service-env.ts';

/** Supervises one component whose account must not read the stack's `.env`. Disposing stops it in order. */
export interface ServiceStack extends AsyncDisposable, Pick<Supervisor, 'start' | 'stop' | 'restart'> {
  readonly log: Log;
}

/** Variables of the two components that hold a secret; parts of an address count, too. */
const secretVariables = ['DATABASE_URL', 'INTERNAL_API_SECRET', 'DISCORD_BOT_TOKEN'];

/** @throws {StartupError} when the service's settings cannot be read */
export const openServiceStack = async (options: {
  readonly component: (typeof frugalServices)[number];
  readonly home: string;
  readonly programsFolder: string;
  /** The Node executable. */
  readonly node: string;
  readonly onChange: (component: ComponentStatus) => void;
  /** For what the log files themselves cannot take. */
  readonly complain: (text: string) => void;
  readonly limits?: SupervisionLimits;
}): Promise<ServiceStack> => {
  const { component: name, home, node, programsFolder } = options;
  const variables = await readServiceEnv(home, name);
  // Its component inherits it; the file of what the desktop found may be closed to this account.
  if (name === 'bot') setFoundProxy(await findSystemProxy(home));
  const databaseUrl = new Secret(variables.DATABASE_URL ?? '');
  const target = () => readDatabaseUrl(databaseUrl);
  const redact = createRedactor([
    ...secretVariables.flatMap((variable) => variables[variable] ?? []),
    ...proxySecretsIn(variables),
    ...(name === 'postgres' ? [target().password.reveal()] : []),
  ]);

  await using opening = new AsyncDisposableStack();
  const logFile = (file: string) =>
    opening.use(
      openLogFile({
        folder: join(home, 'logs'),
        name: `${file}.log`,
        onTrouble: (path, error) => options.complain(`${path} cannot be written: ${error.message}`),
      }),
    );
  const own = logFile(`service-${name}`);
  const log = createLog({
    component: `service-${name}`,
    redact,
    destination: { write: (line: string) => own.write(line.trimEnd()) },
  });
  const guardian = opening.use(
    startGuardian(
      node,
      join(programsFolder, 'guardian.mjs'),
      () => log.error('the guardian ended; restarting it'),
      { path: freezeNotePath(home, `service-${name}`) },
    ),
  );
  const componentLog = createComponentLog(name, logFile(name), redact);
  const hosts: Record<typeof name, () => Omit<Component, 'name'>> = {
    postgres: () => ({
      port: () => target().port,
      host: postgresHost({ folder: postgresFolder(home), target, guardian, log: componentLog }),
    }),
    bot: () => ({
      port: () => null,
      host: childHost({
        name: 'bot',
        node,
        entry: join(programsFolder, 'bot.mjs'),
        guardian,
        log: componentLog,
        env: () => ({ ...systemEnv(), ...machineProxyEnv(), ...variables }),
      }),
    }),
  };
  const supervisor = createSupervisor({
    components: [{ name, ...hosts[name]() }],
    ...(options.limits ? { limits: options.limits } : {}),
    onChange: options.onChange,
  });
  opening.defer(() => supervisor.stop());
  const { API_URL: origin, INTERNAL_API_SECRET: secret } = variables;
  if (name === 'bot' && origin !== undefined && secret !== undefined) {
    const api = { origin, secret: new Secret(secret) };
    opening.use(reportBot({ supervisor, api: () => api }));
  }
  const resources = opening.move();
  return { ...supervisor, log, [Symbol.asyncDispose]: () => resources.disposeAsync() };
};
