import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchLeftovers } from './leftovers.ts';

const patience = { patienceMs: 300 };

// Guarantee: a process that outlives its file is named, also if its parent is gone, and is found again only by its own file.
test('a process', async () => {
  const leftovers = watchLeftovers('first.test.ts', patience);
  const shell = spawn('/bin/sh', ['-c', 'sleep 60 & echo $!'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(shell.stdout.setEncoding('utf8'), 'data');
  const pid = Number(line);
  try {
    await expect(leftovers.expectNone()).rejects.toThrow(
      `first.test.ts leaves behind the process ${pid} (sleep 60)`,
    );
    await watchLeftovers('second.test.ts', patience).expectNone();
  } finally {
    process.kill(pid);
  }
});

// Guarantee: a socket that still listens is found.
test('a port', async () => {
  const leftovers = watchLeftovers('first.test.ts', patience);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await expect(leftovers.expectNone()).rejects.toThrow(
      'leaves behind 1 listening sockets in its own process',
    );
  } finally {
    server.close();
  }
});

// Guarantee: a file in the temporary folder is named, then removed; the next file gets a folder of its own.
test('a file', async () => {
  const outside = tmpdir();
  const leftovers = watchLeftovers('first.test.ts', patience);
  const inside = tmpdir();
  writeFileSync(join(mkdtempSync(join(inside, 'made-')), 'text'), '');
  await expect(leftovers.expectNone()).rejects.toThrow(
    /leaves behind the file made-\w+ in its temporary folder/,
  );
  expect(tmpdir()).toBe(outside);
  await watchLeftovers('second.test.ts', patience).expectNone();
});

// Guarantee: what ends a moment later is not left behind.
test('what is about to end', async () => {
  const leftovers = watchLeftovers('first.test.ts', { patienceMs: 10_000 });
  spawn('/bin/sh', ['-c', 'sleep 0.2'], { stdio: 'ignore' });
  await leftovers.expectNone();
});
