import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { StartupError } from '#runtime/program.ts';
import { keepingRefusal } from '../control/start-refusal.ts';
import { describeFailure } from './exit-codes.ts';
import { status } from './status.ts';

// Guarantee: without a stack the status says why the last start was refused, by which program and when, until a start succeeds.
test('the status after a refused start', async () => {
  await using home = await temporaryFolder('home');
  const unheard = () => expect.unreachable();
  const context = {
    home: home.path,
    programsFolder: '',
    variables: {},
    terminal: { say: unheard, complain: unheard },
  };
  const said = async () => describeFailure(await status(context, {}).catch((error: unknown) => error));
  const plain = `No stack is running in ${home.path}. Start it with: castellan start`;
  expect(await said()).toEqual({ exitCode: 3, text: plain });

  const reason = `${home.path}/.env has 1 wrong value:\n  API_PORT: must be a port number\x1b[31m`;
  const refused = keepingRefusal(home.path, 'the desktop', () => Promise.reject(new StartupError(reason)));
  await expect(refused).rejects.toThrow('wrong value');
  const { exitCode, text } = await said();
  expect(exitCode).toBe(3);
  const [first, second = '', ...rest] = text.split('\n');
  expect(first).toBe(plain);
  expect(second).toMatch(/^The last start \(by the desktop, 20\d\d-.*Z\) was refused:$/);
  expect(rest).toEqual([
    `  ${home.path}/.env has 1 wrong value:`,
    '    API_PORT: must be a port number\\x1b[31m',
  ]);

  await keepingRefusal(home.path, 'the desktop', async () => undefined);
  expect(await said()).toEqual({ exitCode: 3, text: plain });

  await mkdir(join(home.path, 'logs'));
  const ofBot = keepingRefusal(home.path, 'x', () => Promise.reject(new StartupError('no settings')), 'bot');
  await expect(ofBot).rejects.toThrow('no settings');
  expect((await said()).text).toMatch(
    /\nThe last start of the bot service \(by x, .*\) was refused:\n {2}no settings$/,
  );
});
