import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { endOwner, isOwnerAlive, newOwner } from './cache-owner.ts';

// Guarantee: what an ended process, an ended task of this process, or no process at all has left in the shared folder has no owner.
test('owners', async () => {
  const own = newOwner();
  expect(isOwnerAlive(own)).toBe(true);
  endOwner(own);
  expect(isOwnerAlive(own)).toBe(false);
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  expect(isOwnerAlive(`${child.pid}-0a1b2c`)).toBe(false);
  expect(isOwnerAlive(`${process.ppid}-0a1b2c`)).toBe(true);
  for (const text of ['', 'nobody', '0-0a1b2c', '-1-0a1b2c']) expect(isOwnerAlive(text)).toBe(false);
});
