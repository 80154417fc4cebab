import { expect, test } from 'vitest';
import { isOriginThisMachine } from './this-machine.ts';

const local = { peer: '127.0.0.1', headers: { host: ['localhost:3001'] } };

// Guarantee: only this machine itself, by one of its own names and through nothing else, needs no credential.
test.each([
  ['127.0.0.1', 'localhost'],
  ['127.0.0.1', '127.0.0.1:3001'],
  ['127.8.9.1', 'LOCALHOST:80'],
  ['::1', '[::1]:3001'],
  ['::ffff:127.0.0.1', 'localhost:65535'],
])('%s asking %s', (peer, host) => {
  expect(isOriginThisMachine({ peer, headers: { host: [host] } })).toBe(true);
});

test.each([
  ['another machine', { ...local, peer: '192.168.0.7' }],
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
])('%s is not this machine', (_what, origin) => {
  expect(isOriginThisMachine(origin)).toBe(false);
});
