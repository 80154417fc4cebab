import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '#harness/ports.ts';
import { findFreePort } from '#runtime/ports.ts';
import { checkPorts } from './ports-check.ts';

// Guarantee: a taken port is reported with the program that has it, and a free one is offered.
test('a taken port', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { api, postgres } = await checkPorts({
    apiPort: port,
    postgresPort: await freePort(),
    isOpen: false,
  });
  server.close();
  expect(api).toMatchObject({ port, state: 'taken', owner: { pid: process.pid } });
  expect(api.free).toBeGreaterThan(port);
  expect(postgres).toMatchObject({ state: 'free', owner: null, free: null });
});

// Guarantee: API and database never get the same port, nor is the same one offered for both.
test('one port for both', async () => {
  const port = await freePort();
  const { postgres } = await checkPorts({ apiPort: port, postgresPort: port, isOpen: false });
  expect(postgres.state).toBe('twice');
  expect(postgres.free).not.toBe(port);
});

// Guarantee: in place of a taken port of the database, the port that the API will have is not offered.
test('the port of the other', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const apiPort = (await findFreePort(port + 1)) ?? 0;
  const { postgres } = await checkPorts({ apiPort, postgresPort: port, isOpen: false });
  server.close();
  expect(postgres.state).toBe('taken');
  expect(postgres.free).toBeGreaterThan(apiPort);
});

// Guarantee: only a user who opens the API to others on Windows is told that its firewall will ask.
test('the firewall', async () => {
  const ports = { apiPort: await freePort(), postgresPort: await freePort() };
  const asks = async (isOpen: boolean, platform: NodeJS.Platform) =>
    (await checkPorts({ ...ports, isOpen }, platform)).asksForFirewall;
  expect(await asks(false, 'win32')).toBe(false);
  expect(await asks(true, 'linux')).toBe(false);
  expect(await asks(true, 'win32')).toBe(true);
});
