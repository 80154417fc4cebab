import { listen } from '#runtime/http/listen.ts';
import { createApiApp } from './app.ts';
import { type Context, type ContextOptions, createContext } from './context.ts';
import { answerUnreadable, guardHttpEdge } from './http/http-edge.ts';

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
  const { apiHosts, apiPort } = context.config;
  let port = options.port ?? apiPort;
  for (const host of apiHosts) {
    const listener = building.use(
      await listen({ handler, host, port, answerUnreadable: answerUnreadable(context.refusal) }),
    );
    guardHttpEdge(listener.server, handler, context.refusal);
    // The first one may have chosen it.
    port = listener.port;
  }
  context.begin();
  const owned = building.move();
  return { context, port, [Symbol.asyncDispose]: () => owned.disposeAsync() };
};
