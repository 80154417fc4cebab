import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
/** The folder where the desktop tests put their screenshots. */
const taken = join(root, '.cache/screenshots/desktop');
const walks = [
  'tests/nightly/desktop/first-run.test.ts',
  'tests/nightly/desktop/license-wizard.test.ts',
  'tests/browser/operations/computer.test.ts',
];

/** Takes the first run, the license wizard and the desktop's own pages, by running their tests. */
export const takeDesktop = async (out: string, say: (line: string) => void): Promise<void> => {
  await rm(taken, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  say('the desktop');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const run = spawn(process.execPath, [vitest, 'run', ...walks], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(run, 'exit');
  // Pictures from before a failure are useful, too.
  if (code !== 0) say('a walk through the desktop failed: pictures may be missing');
  for (const name of await readdir(taken).catch(() => []))
    await cp(join(taken, name), join(out, `desktop-${name}`));
};
