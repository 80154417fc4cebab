import { livePath } from '#contracts/kernel/live.ts';
import { agentSocketPath } from '#contracts/servers/agent-protocol.ts';
import { type Listener, listen } from '#runtime/http/listen.ts';
import { rawAnswer } from '#runtime/http/raw-answer.ts';
import { trustsPeer } from '#runtime/http/routes.ts';
import { Problem } from '#runtime/problem.ts';
import { createApiApp } from './app.ts';
import { type Context, type ContextOptions, createContext } from './composition/context.ts';
import { exposureWarning } from './kernel/http/exposure.ts';
import { guardHttpEdge } from './kernel/http/http-edge.ts';
import { openTlsMultiplexer } from './kernel/http/tls-multiplexer.ts';

const plainRefusal = new Problem('TLS_REQUIRED', { headers: { Upgrade: 'TLS/1.2, HTTP/1.1' } });

export interface Api extends AsyncDisposable {
  readonly context: Context;
  readonly port: number;
}

interface ApiOptions extends ContextOptions {
  /** Overrides API_PORT; 0 takes any free port. */
  readonly port?: number;
}

/**
 * Listens before it connects to the database: a taken port ends the start before anything was touched, and an
 * unavailable database is something to report, not to wait for.
 */
export const startApi = async (options: ApiOptions): Promise<Api> => {
  await using building = new AsyncDisposableStack();
  const context = building.use(await createContext(options));
  const handler = createApiApp(context);
  const { config, live, log } = context;
  const { refusal } = context.license;
  const { agents, console: gameConsole } = context.servers;
  const warning = exposureWarning(config);
  if (warning) log.warn(warning);
  const refusePlain = () => rawAnswer(refusal() ?? plainRefusal);
  let port = options.port ?? config.apiPort;
  const listeners: Listener[] = [];
  for (const host of config.apiHosts) {
    const listener = building.use(
      await listen({ handler, host, port, refusal, isTrustedProxy: trustsPeer(handler), log }),
    );
    listeners.push(listener);
    // The first listener may have chosen it.
    port = listener.port;
    const { server } = listener;
    if (config.tls) building.use(await openTlsMultiplexer({ server, files: config.tls, refusePlain, log }));
  }
  // WebSockets end first: a listener waits for every connection that it has handed over.
  building.use(live);
  building.use(agents);
  // Before them, the running commands end: a caller that waits for a game is told the result.
  building.use(gameConsole);
  building.use(context.store);
  building.use(context.discord.roles);
  building.use(context.storefronts);
  for (const { server } of listeners)
    guardHttpEdge(server, {
      refusal,
      upgrades: { [livePath]: live.upgrade, [agentSocketPath]: agents.upgrade },
      log,
    });
  context.begin();
  const owned = building.move();
  return { context, port, [Symbol.asyncDispose]: () => owned.disposeAsync() };
};
