import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { type AddressInfo, connect, isIP } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isSameOrigin } from '#runtime/auth/same-origin.ts';
import { createApp } from '#runtime/http/routes.ts';
import { createReadOrigin } from '../../../server/servers/agents/admission.ts';
import { changedInputsTimeout, checkChanged } from '../changed-inputs.ts';
import { mutated, mutations } from '../mutate.ts';

const publicUrl = 'https://panel.example.com';
const trusted = ['loopback'];

let server: Server;
beforeAll(async () => {
  const app = createApp(trusted);
  const readOrigin = createReadOrigin(trusted);
  app.use((request, response) => {
    const agent = readOrigin(request);
    response.json({
      address: request.ip,
      tls: request.secure,
      own: isSameOrigin(request),
      ownByPublicAddress: isSameOrigin(request, publicUrl),
      agent: `${agent.address} ${agent.isEncrypted}`,
    });
  });
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const headIn = (file: string): string => {
  const text = readFileSync(`${import.meta.dirname}/${file}`, 'utf8').replace(/^#.*\n/gm, '');
  return text.trim().replace(/\n/g, '\r\n');
};

const answerTo = async (head: string | Buffer): Promise<string> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.end(Buffer.concat([Buffer.from(head), Buffer.from('\r\nConnection: close\r\n\r\n')]));
  return (await socket.setEncoding('utf8').toArray()).join('');
};

const send = async (head: string | Buffer): Promise<unknown> => {
  const answer = await answerTo(head);
  return JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
};

const visitor = '203.0.113.7';
const peer = '127.0.0.1';
const visitor6 = '2001:db8:1:2::7';

/** File → the caller's address, whether over TLS, whether from our own page, and the same once the public address is set. */
const right: Readonly<Record<string, readonly [string, boolean, boolean, boolean]>> = {
  'nginx-default-host': [peer, false, true, true],
  'nginx-default-host-old-browser': [peer, false, false, true],
  'nginx-host-with-port': [visitor, true, true, true],
  'nginx-proxy-manager-folded-host': [visitor, true, true, true],
  'port-in-a-header-of-its-own': [visitor, true, true, true],
  'port-lost': [visitor, false, false, false],
  caddy: [visitor6, true, true, true],
  apache: [visitor, false, true, true],
  'haproxy-two-lines': [visitor, true, true, true],
  'haproxy-forwarded': [visitor6, true, true, true],
  'forwarded-through-two': [visitor, false, true, true],
  'traefik-websocket': [visitor, true, true, true],
  'iis-arr': [visitor, true, true, true],
  'iis-arr-behind-cloudflare': [visitor, true, true, true],
  'azure-application-gateway': [visitor, true, true, true],
  'cloudflare-tunnel': [visitor, true, true, true],
  'aws-balancer-unknown': [visitor, true, true, true],
  synology: [visitor, true, true, true],
  'tailscale-funnel': [visitor, true, true, true],
  ngrok: [visitor, true, true, true],
  'older-names-of-the-scheme': [visitor, true, true, true],
  'url-scheme': [visitor, true, true, true],
  'ingress-nginx': [visitor, true, true, true],
  cloudfront: [visitor, true, true, true],
  'mapped-address': [visitor, true, true, true],
  'apache-behind-apache': [visitor, true, true, true],
  'nginx-appends-what-the-visitor-sent': [visitor, true, true, true],
  'traefik-behind-cloudflare': [visitor, true, true, true],
  'null-origin': [visitor, true, true, true],
  'null-origin-old-browser': [visitor, true, false, false],
  'another-site': [visitor, false, false, false],
  'another-site-old-browser': [visitor, false, false, false],
  'another-name-of-the-site': [visitor, false, false, false],
};

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.txt'));

// Guarantee: of what each proxy sends, the caller's address, TLS and the page's origin are read, for the API and for agents.
test.each(files)('%s', async (file) => {
  const [address = '', tls = false, own, ownByPublicAddress] = right[file.replace('.txt', '')] ?? [];
  const agent = `${address} ${tls}`;
  expect(await send(headIn(file))).toEqual({ address, tls, own, ownByPublicAddress, agent });
});

test('the table has no more rows than there are files', () => {
  expect(Object.keys(right).sort()).toEqual(files.map((file) => file.replace('.txt', '')).sort());
});

// Guarantee: whatever becomes of a request, it is answered: with an address, with the proxy's own text where that names none (as
// `unknown`), or refused.
test('changed requests', { timeout: changedInputsTimeout }, () =>
  checkChanged('proxies', fc.tuple(fc.constantFrom(...files), mutations), async ([file, changes]) => {
    const head = mutated(Buffer.from(headIn(file)), changes);
    const answer = await answerTo(head);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
    if (status !== 200) return expect(status).toSatisfy((code: number) => code >= 400 && code < 500);
    const read = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as {
      readonly address: string;
    };
    if (isIP(read.address) === 0)
      expect(head.toString('latin1').replaceAll('\\', '')).toContain(read.address);
  }),
);
