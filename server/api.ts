import { livePath } from '#contracts/live.ts';
import { type Listener, listen } from '#runtime/http/listen.ts';
import { Problem } from '#runtime/problem.ts';
import { createApiApp } from './app.ts';
import { type Context, type ContextOptions, createContext } from './context.ts';
import { exposureWarning } from './http/exposure.ts';
import { answerUnreadable, guardHttpEdge } from './http/http-edge.ts';
import { rawAnswer } from './http/raw-answer.ts';
import { openTlsDoor } from './http/tls-door.ts';

const plainRefusal = new Problem('TLS_REQUIRED', { headers: { Upgrade: 'TLS/1.2, HTTP/1.1' } });

export interface Api extends AsyncDisposable {
  readonly context: Context;
  readonly port: number;
}

export interface ApiOptions extends ContextOptions {
  /** In place of API_PORT; 0 takes any free port. */
  readonly port?: number;
}

/**
 * Listens before it goes to the database: a port that is taken ends the start before anything was touched, and a
 * database that is away is something to report, not to wait for.
 */
export const startApi = async (options: ApiOptions): Promise<Api> => {
  await using building = new AsyncDisposableStack();
  const context = building.use(await createContext(options));
  const handler = createApiApp(context);
  const { apiHost, apiPort } = context.config;
  const listener: Listener = building.use(
    await listen({
      handler,
      host: apiHost,
      port: options.port ?? apiPort,
      answerUnreadable: answerUnreadable(context.refusal),
    }),
  );
  const warning = exposureWarning(context.config);
  if (warning) context.log.warn(warning);
  if (context.config.tls) {
    const refusePlain = () => rawAnswer(context.refusal() ?? plainRefusal);
    const { server } = listener;
    building.use(await openTlsDoor({ server, files: context.config.tls, refusePlain, log: context.log }));
  }
  // WebSockets end first: the listener waits for every connection that it has handed over.
  const { live, refusal, log } = context;
  building.use(live);
  guardHttpEdge(listener.server, { handler, refusal, upgrades: { [livePath]: live.upgrade }, log });
  context.begin();
  const owned = building.move();
  return { context, port: listener.port, [Symbol.asyncDispose]: () => owned.disposeAsync() };
};
