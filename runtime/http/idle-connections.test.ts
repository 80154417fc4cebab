import { once } from 'node:events';
import { Agent, type ClientRequest, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Listener, listen } from './listen.ts';

let owned: AsyncDisposableStack;
/** As the server sees them. */
let served: Socket[];
beforeEach(() => {
  owned = new AsyncDisposableStack();
  served = [];
});
afterEach(() => owned.disposeAsync());

const start = async (options: Partial<Parameters<typeof listen>[0]> = {}): Promise<Listener> => {
  const listener = owned.use(
    await listen({
      async handler(asked, response) {
        response.end(await text(asked));
      },
      host: '0.0.0.0',
      port: 0,
      ...options,
    }),
  );
  listener.server.on('connection', (socket) => served.push(socket));
  return listener;
};

const post = async (port: number, agent: Agent, body: string, localAddress?: string) => {
  const asked: ClientRequest = request({
    host: '127.0.0.1',
    port,
    agent,
    method: 'POST',
    ...(localAddress && { localAddress }),
  });
  const answered = once(asked, 'response');
  asked.end(body);
  const [response] = await answered;
  return { body: await text(response), reused: asked.reusedSocket };
};
const pool = () => {
  const agent = new Agent({ keepAlive: true });
  owned.defer(() => agent.destroy());
  return agent;
};

// Guarantee: a POST on a connection that a proxy has kept is answered, also when it idled for longer than headers may take: 40 of 80
// were lost when the server closed first (nodejs/node#13391).
test('POSTs on connections that were idle', async () => {
  const { port, server } = await start({ timing: { headersMs: 30_000, requestMs: 30_000, checkMs: 20 } });
  const agent = pool();
  const all = (round: number) =>
    Promise.all(Array.from({ length: 40 }, (_, index) => post(port, agent, `${round} ${index}`)));
  expect((await all(1)).filter(({ reused }) => reused)).toHaveLength(0);
  // One that begins now and does not go on runs out of time: so would those that wait, if their time counted.
  server.headersTimeout = 50;
  const slow = connect(port, '127.0.0.1');
  slow.write('GET / HT');
  expect(await text(slow)).toContain('408');
  server.headersTimeout = 30_000;
  const second = await all(2);
  expect(second.map(({ body }) => body)).toEqual(second.map((_, index) => `2 ${index}`));
  expect(second.every(({ reused }) => reused)).toBe(true);
});

const otherAddress = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address;

// Guarantee: we wait for longer than nginx, Caddy and IIS do, and where a proxy is trusted for longer than Cloudflare.
test.skipIf(!otherAddress)('how long connections are kept', async () => {
  const waits = async (isTrustedProxy: boolean, localAddress?: string) => {
    const { port } = await start({ isTrustedProxy: () => isTrustedProxy });
    await post(port, pool(), 'a', localAddress);
    return (served.at(-1)?.timeout ?? 0) / 1000;
  };
  expect(await waits(false, otherAddress)).toBeGreaterThan(120);
  expect(await waits(false, otherAddress)).toBeLessThan(140);
  expect(await waits(true, otherAddress)).toBeGreaterThan(900);
  expect(await waits(false)).toBeGreaterThan(900);
});

// Guarantee: strangers cannot fill the server with connections that ask nothing more: the one that has waited longest is closed.
test.skipIf(!otherAddress)('too many idle connections', async () => {
  const { port } = await start({ limits: { inAll: 4, perAddress: 100 } });
  const [first, second, third] = [pool(), pool(), pool()];
  for (const agent of [first, second]) await post(port, agent, 'a', otherAddress);
  const closed = once(served[0] as Socket, 'close');
  await post(port, third, 'a', otherAddress);
  await closed;
  for (const agent of [second, third]) expect((await post(port, agent, 'b', otherAddress)).reused).toBe(true);
});

const nextAnswer = async (socket: Socket, end: string): Promise<string> => {
  let said = '';
  while (!said.endsWith(end)) said += String((await once(socket, 'data'))[0]);
  return said;
};

// Guarantee: a connection that becomes a WebSocket is none that waits for a request: it is not closed to make room, and does not count.
test.skipIf(!otherAddress)('a WebSocket on a connection that was idle', async () => {
  const { port, server } = await start({ limits: { inAll: 4, perAddress: 100 } });
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => undefined).on('end', () => socket.destroy());
    socket.resume().write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  });
  const live = connect({ host: '127.0.0.1', port, localAddress: otherAddress ?? '' });
  owned.defer(() => void live.destroy());
  live.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na');
  expect(await nextAnswer(live, 'a')).toContain('200 OK');
  live.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  expect(await nextAnswer(live, '\r\n\r\n')).toContain('101');
  const [first, second] = [pool(), pool()];
  for (const agent of [first, second]) await post(port, agent, 'a', otherAddress);
  for (const agent of [first, second]) expect((await post(port, agent, 'b', otherAddress)).reused).toBe(true);
  const closed = once(served[1] as Socket, 'close');
  await post(port, pool(), 'a', otherAddress);
  await closed;
  expect(served[0]?.destroyed).toBe(false);
});

// Guarantee: a shutdown waits for no idle connection.
test('a shutdown', async () => {
  const listener = await start({ drainMs: 3_600_000 });
  await post(listener.port, pool(), 'a');
  await listener[Symbol.asyncDispose]();
  expect(served.every(({ destroyed }) => destroyed)).toBe(true);
});

const ask = async (port: number, headers: Record<string, string>) => {
  const asked = request({ host: '127.0.0.1', port, headers, agent: false }).end();
  const [response] = await once(asked, 'response');
  return { status: response.statusCode, type: response.headers['content-type'], body: await text(response) };
};
const cookies = (kilobytes: number) => ({ Cookie: `other=${'x'.repeat(kilobytes * 1024)}` });
const browser = { Accept: 'text/html,application/xhtml+xml', Host: 'localhost:3001' };

// Guarantee: the cookies of other programs on localhost do not lock anyone out (openhab/openhab-core#287, SwarmUI#799); beyond what is
// taken, people get a page that says what to do, and programs a problem document.
test('many cookies', async () => {
  const { port } = await start();
  for (const kilobytes of [16, 32, 60])
    expect(await ask(port, { ...browser, ...cookies(kilobytes) })).toMatchObject({ status: 200 });
  const page = await ask(port, { ...browser, ...cookies(70) });
  expect(page).toMatchObject({ status: 431, type: 'text/html; charset=utf-8' });
  expect(page.body).toContain('71 KB of cookies');
  expect(page.body).toContain('<a href="http://127.0.0.1:3001/">');
  expect(page.body).not.toContain('https:');
  const portuguese = await ask(port, { ...browser, 'Accept-Language': 'pt-PT,pt;q=0.9', ...cookies(100) });
  expect(portuguese.body).toContain('<html lang="pt-BR">');
  const far = await ask(port, { ...browser, Host: '<b>panel.example.com', ...cookies(70) });
  expect(far.body).toContain('&lt;b&gt;panel.example.com');
  expect(far.body).not.toContain('127.0.0.1');
  const program = await ask(port, { Accept: 'application/json', ...cookies(70) });
  expect(program).toMatchObject({ status: 431, type: 'application/problem+json' });
  expect(JSON.parse(program.body)).toMatchObject({ code: 'HEADERS_TOO_LARGE' });
});
