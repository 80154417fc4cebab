import { listen } from '#runtime/http/listen.ts';
import { createLog } from '#runtime/log.ts';
import { runProgram } from '#runtime/program.ts';
import { createRedactor } from '#runtime/redact.ts';
import { createPortalApp } from './app.ts';
import { readPortalConfig } from './config.ts';
import { createContext } from './context.ts';
import { reachDatabase } from './database/reach-database.ts';
import { announcePortal } from './home/running-portal.ts';
import { keepForgettingCounters } from './rate-limits/forget-old-counters.ts';

export interface ServeSurroundings {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly guardianEntry: string;
}

/** The portal as a server, until it is told to stop. */
export const serve = ({ variables, guardianEntry }: ServeSurroundings): Promise<void> => {
  let redact = createRedactor();
  const log = createLog({ component: 'portal', redact: (text) => redact(text) });

  return runProgram(
    async ({ resources, stop }) => {
      const config = await readPortalConfig(variables);
      log.level = config.logLevel;
      const onLost = (error: unknown) => {
        log.fatal({ err: error }, 'Postgres cannot be kept running');
        stop('Postgres is lost', 1);
      };
      const reached = await reachDatabase({
        config,
        purpose: 'serve',
        guardianEntry,
        log,
        resources,
        onLost,
      });
      const { databaseUrl, masterKey, postgresPort } = reached;
      redact = createRedactor([
        databaseUrl,
        masterKey,
        decodeURIComponent(new URL(databaseUrl.reveal()).password),
      ]);

      const context = resources.use(await createContext({ databaseUrl, masterKey, log }));
      resources.use(keepForgettingCounters(context.pool, log));
      const { trustProxy, host } = config;
      const handler = createPortalApp(context, { trustProxy, log });
      const { port } = resources.use(await listen({ handler, host, port: config.port }));
      resources.use(await announcePortal(config.home, { port, pid: process.pid, postgresPort }));
      const { kid } = context.keyRing.active;
      const publicUrl = config.publicUrl ?? `http://${host}:${port}`;
      log.info({ port, pid: process.pid, publicUrl, kid, home: config.home }, 'portal ready');
    },
    { log },
  );
};
