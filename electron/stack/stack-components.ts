import { type ComponentName, componentNames } from '#contracts/operations/stack.ts';
import type { startGuardian } from '#runtime/guardian/guardian.ts';
import type { LocalOwner } from '#runtime/program.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { machineProxyEnv, systemEnv } from '#runtime/system-env.ts';
import type { ComponentLog } from '../logs/component-log.ts';
import type { Component, ComponentHost } from '../supervisor/component.ts';
import { askApi } from './api-health.ts';
import { botEnv } from './bot-env.ts';
import { childHost } from './child-host.ts';
import { readDatabaseUrl } from './database-url.ts';
import { postgresFolder } from './operator-role.ts';
import { demandPort } from './port-check.ts';
import { postgresHost } from './postgres-host.ts';
import { createProcessNames } from './process-names.ts';

/** The components of a stack, in the order in which they start. */
export const describeComponents = ({
  home,
  node,
  owner,
  config,
  guardian,
  program,
  log,
  components = componentNames,
}: {
  readonly home: string;
  /** The Node executable. */
  readonly node: string;
  /** All of them, unless other supervisors run the rest. */
  readonly components?: readonly ComponentName[];
  readonly owner: LocalOwner;
  readonly config: () => StackConfig;
  readonly guardian: ReturnType<typeof startGuardian>;
  readonly program: (name: string) => string;
  readonly log: (name: ComponentName) => ComponentLog;
}): Component[] => {
  const child = { node, guardian };
  /** A running component is asked where it was started; settings that were read since count from its next start. */
  const startedWith = { postgres: config(), api: config() };
  const remembering = (name: keyof typeof startedWith, host: ComponentHost): ComponentHost => ({
    start(signal, say) {
      startedWith[name] = config();
      return host.start(signal, say);
    },
  });
  const nameProcess = createProcessNames();
  const target = () => readDatabaseUrl(startedWith.postgres.databaseUrl);
  const all: Record<ComponentName, () => Component> = {
    postgres: () => ({
      name: 'postgres',
      port: () => target().port,
      host: remembering(
        'postgres',
        postgresHost({ folder: postgresFolder(home), target, guardian, log: log('postgres') }),
      ),
    }),
    api: () => ({
      name: 'api',
      port: () => startedWith.api.apiPort,
      host: remembering(
        'api',
        childHost({
          ...child,
          name: 'api',
          entry: program('api'),
          log: log('api'),
          // It reads its secrets from the data folder's `.env` itself.
          env: () => ({ ...systemEnv(), ...machineProxyEnv(), CASTELLAN_HOME: home, ...nameProcess() }),
          beforeStart: async (signal) => {
            const { apiPort: port, apiHosts } = startedWith.api;
            for (const host of apiHosts)
              await demandPort({ port, host, remedy: (free) => `set API_PORT=${free}` }, signal);
          },
          greeting: { type: 'credential', credential: owner.credential.reveal(), user: owner.user },
          probe: (signal) => askApi(startedWith.api.apiOrigin, signal),
        }),
      ),
    }),
    bot: () => ({
      name: 'bot',
      port: () => null,
      host: childHost({
        ...child,
        name: 'bot',
        entry: program('bot'),
        log: log('bot'),
        env: () => ({ ...systemEnv(), ...machineProxyEnv(), ...botEnv(config()) }),
      }),
    }),
  };
  return components.map((name) => all[name]());
};
