import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { makeHome } from '#runtime/home.ts';
import { HomeHeldError, holdHome } from '../control/held-home.ts';
import { holdForMove } from './hold-for-move.ts';

// Guarantee: from the look at who runs the stack until the services start, no app mode can begin; then the data folder is theirs.
test('the home while its services are made', async () => {
  await using folder = await temporaryFolder('hold');
  const home = join(folder.path, 'home');
  await makeHome(home);
  await using hold = await holdForMove(home);
  await hold.before({ kind: 'create', component: 'api', command: 'x' });
  await expect(holdHome(home, 'the command line')).rejects.toThrow(HomeHeldError);

  await hold.before({ kind: 'start', component: 'postgres' });
  await using service = await holdHome(home, 'the Windows Services');
  await hold.before({ kind: 'await-health' });
  await hold[Symbol.asyncDispose]();
  // Its record is still there for those who ask.
  const failure = await holdHome(home, 'the command line').catch((error: Error) => error.message);
  expect(failure).toContain('the Windows Services');
  expect(service.token.reveal()).toHaveLength(43);
});

// Guarantee: a stack that already runs is neither taken over nor disturbed; one of the services keeps its data folder.
test('a home that is held', async () => {
  await using folder = await temporaryFolder('hold');
  await makeHome(folder.path);
  const answerAs = async (heldBy: string) => {
    const held = await holdHome(folder.path, heldBy);
    held.serve((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(
        JSON.stringify({
          state: 'running',
          home: folder.path,
          pid: process.pid,
          heldBy,
          apiUrl: 'http://127.0.0.1:1',
          components: [],
        }),
      ),
    );
    return held;
  };
  {
    await using _app = await answerAs('the desktop');
    await expect(holdForMove(folder.path)).rejects.toThrow(/already run by the desktop/);
  }
  await using _services = await answerAs('the Windows Services');
  await using hold = await holdForMove(folder.path);
  await hold.before({ kind: 'await-health' });
  await expect(holdHome(folder.path, 'the command line')).rejects.toThrow(/the Windows Services/);
});
