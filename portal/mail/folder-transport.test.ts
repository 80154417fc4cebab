import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createFolderTransport } from './folder-transport.ts';

const mail = {
  id: 'c1',
  messageId: '<c1@shop.example>',
  from: { name: '', address: 'portal@shop.example' },
  to: 'buyer@example.com',
  subject: 'Hello',
  text: 'code 4711',
  html: '<p>code 4711</p>',
  date: new Date('2026-03-01T12:00:00Z'),
};

// Guarantee: without a mail server a mail becomes a file that only its owner can read, and the same file when sent twice.
test('a mail becomes a file', async () => {
  await using folder = await temporaryFolder('mail');
  const transport = createFolderTransport(join(folder.path, 'mail'));
  const { signal } = new AbortController();
  expect(await transport.send(mail, signal)).toEqual({ outcome: 'accepted' });
  await transport.send(mail, signal);
  const files = await readdir(join(folder.path, 'mail'));
  expect(files).toEqual(['2026-03-01T12-00-00.000Z-c1.eml']);
  const path = join(folder.path, 'mail', files[0] ?? '');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, 'utf8')).toMatch(/^To: buyer@example\.com/m);
});

test('a folder that cannot be written is an answer, not a crash', async () => {
  await using folder = await temporaryFolder('mail');
  const { signal } = new AbortController();
  const blocked = createFolderTransport(join(folder.path, 'mail\0'));
  expect(await blocked.send(mail, signal)).toMatchObject({ outcome: 'failed', permanent: false });
});
