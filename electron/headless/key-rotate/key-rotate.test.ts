import { expect, test } from 'vitest';
import { problemContentType } from '#contracts/kernel/problems.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { holdHome } from '../../control/held-home.ts';
import { openTerminal } from '../terminal.ts';
import { restartApi } from './key-rotate.ts';

// Guarantee: where services run the stack, which the supervisor must not restart, restarting the service of the API loads a new
// key; every other refusal stays one.
test('restarting for a new key', async () => {
  await using folder = await temporaryFolder('key-rotate');
  const context = { home: folder.path, programsFolder: folder.path, variables: {}, terminal: openTerminal() };
  await using held = await holdHome(folder.path, 'a test');
  let code = 'RUN_AS_SERVICES';
  held.serve((_request, response) => {
    const problem = { type: 'about:blank', title: 'no', status: 409, code, detail: 'said by the supervisor' };
    response.writeHead(409, { 'Content-Type': problemContentType }).end(JSON.stringify(problem));
  });
  const restarted: string[] = [];
  const asService = async (home: string, component: string) => void restarted.push(home, component);
  await restartApi(context, asService);
  expect(restarted).toEqual([folder.path, 'api']);
  code = 'SHUTTING_DOWN';
  await expect(restartApi(context, asService)).rejects.toThrow('said by the supervisor');
  expect(restarted).toHaveLength(2);
});
