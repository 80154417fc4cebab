import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import { keepingRefusal, readStartRefusal } from '../control/start-refusal.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { openServicesStack } from './services-stack.ts';

const server = { url: 'https://portal.example', publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

// Guarantee: a service that refuses to start its component runs, as far as Windows knows; why no answer comes is what it has written.
test.each(['postgres', 'api', 'bot'] as const)('a refused start of the %s service', async (component) => {
  await using home = await temporaryFolder('services');
  await mkdir(join(home.path, 'logs'));
  await ensureEnv(home.path, server);
  await using stack = await openServicesStack({
    home: home.path,
    control: { state: async () => 'running' },
    log: createLog({ component: 'test', level: 'silent' }),
    order: () => Promise.reject(new Error('not to be asked')),
    key: () => null,
    onKeyRefused: () => undefined,
    onChange: () => undefined,
    pollMs: { calm: 10, busy: 10 },
  });
  const refusals = () => stack.status().components.filter(({ reason }) => reason !== null);
  expect(refusals()).toEqual([]);
  const service = component === 'api' ? undefined : component;
  const start = (open: () => Promise<void>) => keepingRefusal(home.path, 'a test', open, service);
  await expect(start(() => Promise.reject(new StartupError('why')))).rejects.toThrow('why');
  await eventually(() =>
    expect(refusals()).toMatchObject([{ name: component, state: 'starting', reason: 'why' }]),
  );
  // That another one starts says nothing of this one.
  await keepingRefusal(home.path, 'a test', async () => undefined, component === 'bot' ? 'postgres' : 'bot');
  expect((await readStartRefusal(home.path, service))?.reason).toBe('why');
  await start(async () => undefined);
  await eventually(() => expect(refusals()).toEqual([]));
});
