import { expect, test } from 'vitest';
import { isOriginThisMachine, type Origin } from './this-machine.ts';

const local = { peer: '127.0.0.1', headers: { host: ['localhost:3001'] } };

// Guarantee: only this machine itself, by one of its own names and with nothing in between, needs no credential.
test.each([
  ['127.0.0.1', 'localhost'],
  ['127.0.0.1', '127.0.0.1:3001'],
  ['127.8.9.1', 'LOCALHOST:80'],
  ['::1', '[::1]:3001'],
  ['::ffff:127.0.0.1', 'localhost:65535'],
])('%s asking %s', (peer, host) => {
  expect(isOriginThisMachine({ peer, headers: { host: [host] } })).toBe(true);
});

test.each<[string, Origin]>([
  ['another machine', { ...local, peer: '192.168.0.7' }],
  ['nginx with proxy_pass alone', { ...local, httpVersion: '1.0' }],
  [
    'a page behind a proxy that says nothing',
    { ...local, headers: { ...local.headers, referer: ['https://panel.example.com/'] } },
  ],
  ['its call', { ...local, headers: { ...local.headers, origin: ['https://panel.example.com'] } }],
  ['another machine, mapped', { ...local, peer: '::ffff:192.168.0.7' }],
  ['no peer', { ...local, peer: undefined }],
  ['no host', { ...local, headers: {} }],
  ['two hosts', { ...local, headers: { host: ['localhost', 'evil.example'] } }],
  ['rebound DNS', { ...local, headers: { host: ['evil.example:3001'] } }],
  ['a look-alike', { ...local, headers: { host: ['localhost.evil.example'] } }],
  ['another loopback name', { ...local, headers: { host: ['127.0.0.2'] } }],
  ['a user part', { ...local, headers: { host: ['localhost:3001@evil.example'] } }],
  ['Forwarded', { ...local, headers: { ...local.headers, forwarded: ['for=1.2.3.4'] } }],
  ['Via', { ...local, headers: { ...local.headers, via: ['1.1 proxy'] } }],
  ['X-Forwarded-For', { ...local, headers: { ...local.headers, 'x-forwarded-for': ['127.0.0.1'] } }],
  ['X-Forwarded-Anything', { ...local, headers: { ...local.headers, 'x-forwarded-prefix': [''] } }],
  ...[
    ...['x-real-ip', 'cf-connecting-ip', 'cf-ray', 'cf-visitor', 'cdn-loop', 'true-client-ip', 'client-ip'],
    ...['fly-client-ip', 'fly-forwarded-port', 'fastly-client-ip', 'fastly-ff', 'x-cluster-client-ip'],
    ...[
      'x-client-ip',
      'x-original-forwarded-for',
      'x-original-host',
      'x-envoy-external-address',
      'x-forwarded',
    ],
    ...['x-amzn-trace-id', 'x-azure-clientip', 'x-arr-log-id', 'x-remote-addr', 'tailscale-user-login'],
    ...['do-connecting-ip', 'incap-client-ip', 'ngrok-auth-user-email', 'x-cloud-trace-context'],
  ].map((name): [string, Origin] => [
    name,
    { ...local, headers: { ...local.headers, [name]: ['127.0.0.1'] } },
  ]),
  [
    'a proxy that adds five',
    {
      ...local,
      headers: {
        ...local.headers,
        'x-real-ip': ['192.0.2.1'],
        'x-forwarded-for': ['192.0.2.1'],
        'x-forwarded-proto': ['https'],
        'x-forwarded-host': ['panel.example'],
        'cf-connecting-ip': ['192.0.2.1'],
      },
    },
  ],
  ['a foreign host through a proxy', { ...local, headers: { host: ['panel.example'], 'x-real-ip': [''] } }],
])('%s is not this machine', (_what, origin) => {
  expect(isOriginThisMachine(origin)).toBe(false);
});

// Guarantee: the headers of browsers, curl and our own programs are not a sign of a proxy.
test('headers of an ordinary request', () => {
  const names = ['accept', 'accept-encoding', 'authorization', 'connection', 'cookie', 'origin', 'range'];
  const more = ['castellan-confirmation', 'content-type', 'referer', 'sec-fetch-site', 'user-agent'];
  const headers = Object.fromEntries([...names, ...more, 'x-requested-with'].map((name) => [name, ['x']]));
  expect(isOriginThisMachine({ ...local, headers: { ...headers, ...local.headers } })).toBe(true);
});
