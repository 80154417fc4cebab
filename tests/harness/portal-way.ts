import { licenseEndHeader } from '#contracts/license/licenses.ts';
import { listen } from '#runtime/http/listen.ts';

/** A route to a portal that can be redirected or broken. */
export interface PortalRoute extends AsyncDisposable {
  readonly url: string;
  /** Where requests are forwarded; null: the connection breaks. Settable. */
  target: string | null;
  /** The apparent source address of requests. Settable. */
  from: string;
}

export const openPortalWay = async (target: string): Promise<PortalRoute> => {
  const way = { target: target as string | null, from: '10.1.1.1' };
  const listener = await listen({
    handler: async (request, response) => {
      if (way.target === null) return void request.socket.destroy();
      const body = Buffer.concat(await Array.fromAsync(request));
      const { authorization, 'content-type': type } = request.headers;
      const answer = await fetch(way.target + request.url, {
        method: request.method ?? 'GET',
        headers: {
          'X-Forwarded-For': way.from,
          ...(type && { 'Content-Type': type }),
          ...(authorization && { Authorization: authorization }),
        },
        ...(body.length > 0 && { body }),
      });
      const told = ['content-type', 'retry-after', licenseEndHeader].flatMap((name) => {
        const value = answer.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      });
      response.writeHead(answer.status, Object.fromEntries(told)).end(await answer.text());
    },
    host: '127.0.0.1',
    port: 0,
  });
  return Object.assign(way, {
    url: `http://127.0.0.1:${listener.port}`,
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  });
};
