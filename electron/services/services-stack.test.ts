import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import { keepingRefusal } from '../control/start-refusal.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { openServicesStack } from './services-stack.ts';

const server = { url: 'https://portal.example', publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

// Guarantee: the service of an API that refuses to start runs, as far as Windows knows; why no answer comes is what it has written.
test('a service whose start is refused', async () => {
  await using home = await temporaryFolder('services');
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
  const api = () => stack.status().components.find(({ name }) => name === 'api');
  expect(api()?.reason).toBeNull();
  const refused = keepingRefusal(home.path, 'a test', () => Promise.reject(new StartupError('why')));
  await expect(refused).rejects.toThrow('why');
  await eventually(() => expect(api()).toMatchObject({ state: 'starting', reason: 'why' }));
  await keepingRefusal(home.path, 'a test', async () => undefined);
  await eventually(() => expect(api()?.reason).toBeNull());
});
