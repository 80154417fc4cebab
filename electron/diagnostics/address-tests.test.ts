import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import { nothingSet, setUpOutside } from '#runtime/outside/outside.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { setFoundProxy } from '#runtime/system-env.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { createAddressTests } from './address-tests.ts';

const openInstallation = async () => {
  const folder = await temporaryFolder('address-tests');
  onTestFinished(async () => {
    setFoundProxy({ proxy: '', noProxy: '' });
    setUpOutside(nothingSet);
    await folder[Symbol.asyncDispose]();
  });
  await ensureEnv(folder.path, {
    url: 'https://portal.example',
    publicKey: randomBytes(32).toString('base64url'),
  });
  return folder.path;
};

// Guarantee: while our database does not run, a program that has taken its port is not shown the password.
test('a stranger on the port of the database', async () => {
  const home = await openInstallation();
  let visits = 0;
  const stranger = createServer((socket) => {
    visits += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void stranger.close());
  await once(stranger, 'listening');
  const { port } = stranger.address() as AddressInfo;
  await editEnvFile(stackEnvPath(home), {
    DATABASE_URL: `postgresql://api:pass-word@127.0.0.1:${port}/castellan`,
  });
  const addresses = await createAddressTests(home, home).list();
  expect(addresses.map(({ kind }) => kind)).toContain('discord');
  expect(visits).toBe(0);
});

// Guarantee: a system is asked the way to the same addresses whether it has named a proxy or not, and never to that proxy: what
// depends on the answer would change with it.
test('what the proxy is asked for', async () => {
  const home = await openInstallation();
  const { list, proxied } = createAddressTests(home, home);
  const before = await proxied();
  setFoundProxy({ proxy: 'system.example:8080', noProxy: '' });
  expect((await list()).map(({ url }) => url.hostname)).toContain('system.example');
  expect(await proxied()).toEqual(before);
  expect(before.map(({ hostname }) => hostname)).not.toContain('system.example');
});
