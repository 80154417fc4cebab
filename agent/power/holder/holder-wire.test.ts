import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { holderAddress } from './holder-wire.ts';

// Guarantee: the holder of a server whose folder was deleted and created again can be reached, in the same process.
test.skipIf(process.platform === 'win32')('a folder that is made again', async () => {
  await using folder = await temporaryFolder('power');
  const powerFolder = join(folder.path, 'power');
  await mkdir(powerFolder);
  holderAddress(powerFolder, 'secret');
  await rm(powerFolder, { recursive: true });
  expect(() => holderAddress(powerFolder, 'secret')).toThrow(/ENOENT/);
  await mkdir(powerFolder);
  await using server = createServer((socket) => socket.destroy()).listen(join(powerFolder, 'holder.sock'));
  await once(server, 'listening');
  const socket = connect(holderAddress(powerFolder, 'secret'));
  await once(socket, 'connect');
  socket.destroy();
});
