import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { performStep } from './perform-step.ts';
import { windowsServices } from './service-control.ts';

// Guarantee: an installation that broke off before it made its folders can be given up: rights are taken from what is there.
test('rights on folders that were never made', async () => {
  await using folder = await temporaryFolder('steps');
  const asked: (string | undefined)[] = [];
  const run = async (_program: string, [path]: readonly string[]) => {
    asked.push(path);
    if (path !== folder.path)
      throw Object.assign(new Error('The system cannot find the file specified.'), { code: 2 });
    return '';
  };
  const perform = performStep({ home: folder.path, control: windowsServices(run), app: null, run });
  await perform({ kind: 'revoke-rights' });
  expect(asked).toEqual([folder.path, folder.path, folder.path]);
});

// Guarantee: a step begins when whoever watches the move is ready for it.
test('what comes before a step', async () => {
  const order: string[] = [];
  const control = windowsServices(async () => {
    order.push('step');
    return '';
  });
  const onStep = async () => {
    await new Promise(setImmediate);
    order.push('before');
  };
  const perform = performStep({ home: 'C:\\home', control, app: null, onStep });
  await perform({ kind: 'delete', component: 'bot', command: 'x' });
  expect(order[0]).toBe('before');
});
