import { expect, test } from 'vitest';
import {
  type ComponentState,
  componentNames,
  type StackState,
  type StackStatus,
} from '#contracts/operations/stack.ts';
import type { ConfirmableInit } from '../stack/local-api-call.ts';
import { createApiProxy } from './api-proxy.ts';

const since = new Date(0).toISOString();
const statusOf = (state: StackState, api: ComponentState, reason: string | null = null): StackStatus => ({
  state,
  home: '/home',
  pid: 1,
  heldBy: 'the desktop',
  apiUrl: 'http://127.0.0.1:3001',
  components: componentNames.map((name) => ({
    name,
    state: name === 'api' ? api : 'running',
    reason: name === 'api' ? reason : null,
    pid: 1,
    port: 1,
    since,
    restarts: 0,
    lastLines: [],
  })),
});

const proxyOf = (first: StackStatus, patienceMs = 60_000) => {
  let now = first;
  const proxy = createApiProxy(
    { status: () => now, fetchApi: () => Promise.reject(new Error('not asked here')) },
    () => false,
    patienceMs,
  );
  return {
    proxy,
    become(status: StackStatus) {
      now = status;
      proxy.noteChange();
    },
  };
};

// Guarantee: the owner's credential goes only to our own API while it holds its port.
test.each([
  ['starting', 'stopped'],
  ['starting', 'starting'],
  ['stopping', 'stopping'],
  ['stopped', 'stopped'],
  ['degraded', 'crashed'],
  ['failed', 'failed'],
] as const)('closed: stack %s, API %s', async (state, api) => {
  expect(await proxyOf(statusOf(state, api)).proxy.refusal(false)).toBe(`api is ${api}`);
});

test.each([
  ['running', 'running'],
  ['unlicensed', 'running'],
  ['degraded', 'unhealthy'],
  ['starting', 'running'],
] as const)('open: stack %s, API %s', async (state, api) => {
  expect(await proxyOf(statusOf(state, api)).proxy.refusal(false)).toBeNull();
});

// Guarantee: a request that only reads waits for an API that is starting, and no longer than that.
test('waiting for a start', async () => {
  const { proxy, become } = proxyOf(statusOf('starting', 'stopped'));
  const waiting = proxy.refusal(true);
  become(statusOf('starting', 'starting'));
  become(statusOf('running', 'running'));
  expect(await waiting).toBeNull();
});

test('a start that fails ends the waiting with its reason', async () => {
  const { proxy, become } = proxyOf(statusOf('starting', 'starting'));
  const waiting = proxy.refusal(true);
  become(statusOf('failed', 'failed', 'port 3001 is taken by nginx'));
  expect(await waiting).toBe('api is failed: port 3001 is taken by nginx');
});

test('patience ends', async () => {
  expect(await proxyOf(statusOf('starting', 'starting'), 20).proxy.refusal(true)).toBe('api is starting');
});

test('a stack that nobody starts is not waited for', async () => {
  expect(await proxyOf(statusOf('stopped', 'stopped')).proxy.refusal(true)).toBe('api is stopped');
});

// Guarantee: a request counts as confirmed by the person's word to the desktop, whatever the page says about it.
test('a confirmation is the desktop’s to give', async () => {
  const asked: unknown[] = [];
  let isConfirmed = false;
  const fetchApi = async (_path: string, init: ConfirmableInit) => {
    asked.push(init.isConfirmed);
    return new Response();
  };
  const proxy = createApiProxy({ status: () => statusOf('running', 'running'), fetchApi }, () => isConfirmed);
  await proxy.fetch('/api/admins', { method: 'POST', isConfirmed: true });
  isConfirmed = true;
  await proxy.fetch('/api/admins', { method: 'POST' });
  expect(asked).toEqual([false, true]);
});
