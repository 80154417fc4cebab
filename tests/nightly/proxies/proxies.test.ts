// @module-tag proxies
// @module-tag openssl

import { spawn } from 'node:child_process';
import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { accountHttp } from '#contracts/identity/account.ts';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { ticketsHttp } from '#contracts/identity/tickets.ts';
import { livePath } from '#contracts/kernel/live.ts';
import { licenseStateHttp } from '#contracts/license/license-state.ts';
import { enrolmentsHttp } from '#contracts/servers/agent-enrolment.ts';
import { agentsHttp } from '#contracts/servers/agents.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { shopSignatureHeaders, shopWebhooksHttp } from '#contracts/storefronts/shop-webhooks.ts';
import { shopsHttp } from '#contracts/storefronts/shops.ts';
import { builtProgram } from '#harness/built-program.ts';
import { eventually } from '#harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { certificatePin } from '#runtime/certificate-pin.ts';
import { Secret } from '#runtime/secret.ts';
import { signed } from '#runtime/webhooks/testing/signed.ts';
import { uploadMod } from '../../../renderer/mods/server-mods/use-upload.ts';
import { apiForThisFile } from '../../../server/kernel/testing/api-of-a-test.ts';
import { call, person } from '../../../server/kernel/testing/call.ts';
import { testDesktopCredential } from '../../../server/kernel/testing/test-api.ts';
import { jar } from '../../../server/mods/testing/uploads-of-a-test.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import { type ProxyName, proxyNames, type RunningProxy, startProxy } from './proxy-programs.ts';

const running = apiForThisFile({ trustProxy: ['loopback'] });
const agentMain = builtProgram('agent', resolve(import.meta.dirname, '../../../agent/main.ts'));
/** Another address of this machine than the proxy's own. */
const visitor = '127.0.0.2';

let folder: TemporaryFolder;
let certificate: Certificate;
let pin: string;
beforeAll(async () => {
  folder = await temporaryFolder('proxies');
  certificate = await makeCertificate(folder.path);
  pin = certificatePin(new X509Certificate(certificate.cert));
});
afterAll(() => folder[Symbol.asyncDispose]());

interface Browser {
  readonly host: string;
  send(
    method: string,
    path: string,
    body?: Buffer | string,
    headers?: Record<string, string>,
  ): Promise<Response>;
  json(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
}

/** What a browser at the proxy's address sends, with its cookies. */
const openBrowser = ({ port }: RunningProxy): Browser => {
  const host = `panel.example.com:${port}`;
  const cookies = new Map<string, string>();
  const send: Browser['send'] = async (method, path, body, headers = {}) => {
    const asked = request({
      ...{ host: '127.0.0.1', port, path, method, localAddress: visitor },
      ...{ servername: 'localhost', rejectUnauthorized: false, agent: false },
      headers: {
        ...{ Host: host, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' },
        ...(method === 'GET'
          ? {}
          : { Origin: `https://${host}`, 'Content-Length': Buffer.byteLength(body ?? '') }),
        ...(cookies.size > 0 && { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
        ...headers,
      },
    });
    // A proxy may answer, and close, before it has read everything.
    asked.on('error', () => undefined);
    asked.end(body);
    const answer = await new Promise<IncomingMessage>((done, fail) => {
      asked.once('response', done);
      asked.once('close', () => fail(new TypeError('fetch failed')));
    });
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [pair = ''] = cookie.split(';', 1);
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const content = await buffer(answer);
    const named = Object.entries(answer.headers).map(
      ([name, value]) => [name, String(value)] as [string, string],
    );
    return new Response(new Uint8Array(content), { status: answer.statusCode ?? 0, headers: named });
  };
  return {
    host,
    send,
    async json(method, path, body) {
      const answer = await send(method, path, body === undefined ? undefined : JSON.stringify(body));
      const text = await answer.text();
      expect(answer.status, `${method} ${path}: ${text}`).toBe(200);
      return JSON.parse(text);
    },
  };
};

const signIn = async (browser: Browser): Promise<void> => {
  const { name, password } = await person(running().port, { role: 'owner' });
  const { path } = sessionsHttp.signIn;
  expect(await browser.json('POST', path, { name, password })).toMatchObject({ outcome: 'signed-in' });
  await browser.json('POST', accountHttp.stepUp.path, { password });
};

const openLive = async (browser: Browser, { port }: RunningProxy): Promise<string> => {
  const { ticket } = await browser.json('POST', ticketsHttp.issue.path, {});
  const socket = new WebSocket(`wss://127.0.0.1:${port}${livePath}?ticket=${ticket}`, {
    ...{ servername: 'localhost', rejectUnauthorized: false, localAddress: visitor },
    headers: { Host: browser.host, Origin: `https://${browser.host}` },
  });
  try {
    return await new Promise((done) => {
      socket.once('message', (data) => done(JSON.parse(String(data)).type));
      socket.once('error', (error) => done(error.message));
    });
  } finally {
    socket.terminate();
  }
};

/** Uploads as the panel does. @returns the statuses of all answers, and the digest that the API has computed */
const upload = async (browser: Browser, serverId: string, bytes: Buffer) => {
  const statuses: number[] = [];
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body, headers }: RequestInit) => {
    const content = body instanceof Blob ? Buffer.from(await body.arrayBuffer()) : String(body ?? '');
    const answer = await browser.send(method, path, content, headers as Record<string, string>);
    statuses.push(answer.status);
    return answer;
  });
  try {
    const file = new File([new Uint8Array(bytes)], 'lantern.jar');
    const { sha1 } = await uploadMod(serverId, file, new AbortController().signal, () => undefined);
    return { statuses, sha1 };
  } finally {
    vi.unstubAllGlobals();
  }
};

const agentOf = async (serverId: string) => {
  const { json } = await call(running().port, agentsHttp.list, { as: testDesktopCredential });
  return (json.rows as { serverId: string; mode: string | null }[]).find((row) => row.serverId === serverId)
    ?.mode;
};

interface RunningAgent extends AsyncDisposable {
  readonly said: () => string;
}

const startAgent = (args: readonly string[], variables: Record<string, string> = {}): RunningAgent => {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [agentMain, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      said = (said + part).slice(-4000);
    });
  const exited = once(child, 'exit');
  return {
    said: () => said,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

/** Pastes the enrolment's code into an agent, and starts it once more without WebSocket. @returns how it connects, in turn */
const connectAgent = async (browser: Browser, proxy: RunningProxy, serverId: string): Promise<unknown> => {
  const path = enrolmentsHttp.create.path.replace(':serverId', serverId);
  const { code, enrolment } = await browser.json('POST', path, {});
  const home = join(folder.path, `agent-${serverId}`);
  const target = ['--api', `https://127.0.0.1:${proxy.port}`, '--pin', pin, '--home', home];
  const { id } = enrolment as { id: string };
  const connected = async ({ said }: RunningAgent, isWanted: (mode: string) => boolean) =>
    eventually(async () => {
      const mode = await agentOf(serverId);
      if (!mode || !isWanted(mode)) throw new Error(`${mode}: ${said()}`);
      return mode;
    }, 100_000);
  const enrol = ['enrol', ...target, '--enrolment', id, '--foreground'];
  const first = await (async () => {
    await using agent = startAgent(enrol, { CASTELLAN_ENROLMENT_CODE: String(code) });
    // Not `return connected(…)`: the agent would be gone before it has connected.
    return await connected(agent, () => true);
  })();
  const file = join(home, 'servers', serverId, 'config.json');
  const config = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...config, useWebSocket: false }));
  await using agent = startAgent(['--config', file]);
  return [first, await connected(agent, (mode) => mode === 'polling')];
};

/** What nginx's defaults keep from us. */
const isBare = (name: ProxyName) => name === 'nginx as installed';

// Guarantee: behind each proxy, set up as the documentation shows it, and behind nginx as installed, a new user signs in, adds a
// server, enrols an agent, uploads a large mod, and receives a webhook; callers are told apart by address where the proxy
// names it.
test.each(proxyNames)('%s', async (name) => {
  const { port: apiPort } = running();
  await using proxy = await startProxy(name, { folder: folder.path, apiPort, certificate });
  const browser = openBrowser(proxy);
  // No visitor is taken for the machine itself, which may read this without signing in.
  expect((await browser.send('GET', licenseStateHttp.status.path)).status).toBe(401);
  await signIn(browser);
  const sessions = (await browser.json('GET', sessionsHttp.list.path)).rows as {
    current: boolean;
    address: string;
  }[];
  expect(sessions.find(({ current }) => current)?.address).toBe(isBare(name) ? '127.0.0.1' : visitor);

  const cluster = await browser.json('POST', clustersHttp.create.path, { name: `of ${name}` });
  const server = await browser.json('POST', gameServersHttp.create.path, {
    ...{ name: `at ${name}`, game: 'minecraft', clusterId: cluster.id },
  });
  const serverId = String(server.id);

  expect(await openLive(browser, proxy)).toMatch(isBare(name) ? /./ : /^welcome$/);

  const bytes = jar((isBare(name) ? 50 : 100) * 1024 * 1024);
  const { statuses, sha1 } = await upload(browser, serverId, bytes);
  expect(sha1).toBe(createHash('sha1').update(bytes).digest('hex'));
  expect(statuses.includes(413)).toBe(isBare(name));

  const secret = new Secret(`whsec_${randomUUID()}`);
  const shop = await browser.json('POST', shopsHttp.create.path, {
    ...{ kind: 'generic', name: `of ${name}`, isEnabled: true, game: 'minecraft' },
    ...{ allowsNames: false, checksAddress: false, secret: secret.reveal() },
  });
  const event = JSON.stringify({ id: `evt-${randomUUID()}`, type: 'test' });
  const webhook = shopWebhooksHttp.take.path.replace(':shop', String(shop.id));
  const signature = { [shopSignatureHeaders.generic]: signed(event, new Date(), secret) };
  expect((await browser.send('POST', webhook, event, signature)).status).toBe(200);
  expect((await browser.send('POST', webhook, `${event} `, signature)).status).not.toBe(200);

  const way = isBare(name) ? 'polling' : 'websocket';
  expect(await connectAgent(browser, proxy, serverId)).toEqual([way, 'polling']);
});
