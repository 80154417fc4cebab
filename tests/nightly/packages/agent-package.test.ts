import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { version } from '#runtime/version.ts';
import { packageAgent } from '../../../build/package/agent.ts';

const run = promisify(execFile);

// Guarantee: the agent is one file that runs on a machine without Node; its checksum is correct; nothing in the environment
// makes its Node load other code.
test('the agent as one file', { timeout: 240_000 }, async () => {
  await using folder = await temporaryFolder('agent-package');
  const [made] = await packageAgent({ folder: folder.path, systems: ['linux'] });
  if (!made) throw new Error('nothing was made');
  const hash = createHash('sha256')
    .update(await readFile(made.file))
    .digest('hex');
  expect(await readFile(`${made.file}.sha256`, 'utf8')).toBe(`${hash}  castellan-agent-linux-x64\n`);
  expect(made.sha256).toBe(hash);

  const foreign = join(folder.path, 'foreign.cjs');
  await writeFile(foreign, "console.log('foreign code runs');");
  const env = { NODE_OPTIONS: `--require ${foreign}` };
  expect(await run(made.file, ['--version'], { env })).toEqual({ stdout: `${version}\n`, stderr: '' });
  const { stdout: help } = await run(made.file, ['--help'], { env: {} });
  expect(help).toContain('Usage: castellan-agent [options]');
  expect(help).not.toContain('Node 24');
  // The agent does not accept Node's options.
  await expect(run(made.file, ['--inspect'], { env: {} })).rejects.toMatchObject({ code: 2 });
});
