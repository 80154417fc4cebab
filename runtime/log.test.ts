import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { smallDisk } from '#harness/small-disk.ts';
import { createLog } from './log.ts';

// Guarantee: a program whose output is a file on a full disk goes on, and its next lines arrive once there is room.
test('a log on a full disk', { tags: 'mount' }, async () => {
  using disk = smallDisk(1);
  if (!disk) throw new Error('cannot mount');
  const file = join(disk.path, 'out');
  const fd = openSync(file, 'a');
  const log = createLog({ component: 'test', fd });
  log.info('before');
  await disk.fill();
  for (let line = 0; line < 100; line += 1) log.info('x'.repeat(1000));
  await disk.clear();
  log.info('after');
  closeSync(fd);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('"before"');
  expect(text).toContain('"after"');
});
