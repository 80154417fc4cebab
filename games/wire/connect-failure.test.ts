import { expect, test } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import { failToOpen, fenced } from '../source-rcon/testing/rcon-client.ts';
import { failureOf } from './connect-failure.ts';
import { startRawPeer } from './testing/raw-peer.ts';

const target = { host: 'game.example', port: 25_575, password: new Secret('correct horse') };
const errorOf = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

// Guarantee: each way in which a connection can fail has the name by which people know it.
test.each([
  ['ECONNREFUSED', 'connection refused'],
  ['ENOTFOUND', 'name not found'],
  ['EAI_AGAIN', 'name not found'],
  ['ETIMEDOUT', 'timeout'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['EACCES', 'unreachable'],
  ['ECONNRESET', 'connection lost'],
  ['EPIPE', 'connection lost'],
])('%s is "%s"', (code, outcome) => {
  const failure = failureOf(errorOf(code), target);
  expect(failure.outcome).toBe(outcome);
  expect(failure.detail).toContain('game.example');
  expect(failure.detail).toContain(code);
});

// Guarantee: for a name with several addresses, the one that got farthest tells what is wrong.
test('several addresses', () => {
  const errors = [errorOf('ENETUNREACH'), errorOf('ECONNREFUSED'), errorOf('ETIMEDOUT')];
  expect(failureOf(new AggregateError(errors), target).outcome).toBe('connection refused');
  expect(failureOf(new AggregateError([]), target).outcome).toBe('unreachable');
  expect(failureOf('no error at all', target).outcome).toBe('unreachable');
});

// Guarantee: an impossible address is a failure and never an exception.
test('addresses where nothing can be', async () => {
  const peer = await startRawPeer(() => undefined);
  await peer[Symbol.asyncDispose]();
  const at = (host: string, port = peer.port) => failToOpen({ ...target, host, port }, fenced);
  expect(await at('127.0.0.1')).toMatchObject({ outcome: 'connection refused' });
  expect(await at('localhost')).toMatchObject({ outcome: 'connection refused' });
  expect(await at('')).toMatchObject({ outcome: 'name not found' });
  expect(await at('a\0b')).toMatchObject({ outcome: 'name not found' });
  expect(await at('127.0.0.1', 70_000)).toMatchObject({ outcome: 'unreachable' });
});

// Guarantee: a peer that accepts the connection and says nothing ends with the time-out.
test('silence', async () => {
  await using peer = await startRawPeer(() => undefined);
  const failure = await failToOpen(peer.target(), fenced, { connectTimeoutMs: 1000 });
  expect(failure).toMatchObject({ outcome: 'timeout' });
  expect(failure.detail).toMatch(/accepts connections but did not answer the sign-in/);
});
