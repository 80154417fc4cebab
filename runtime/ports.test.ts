import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { freePort } from '#harness/ports.ts';
import { findFreePort, listenerPidOf, obstacleOwner, portObstacle, portOwner, tryPort } from './ports.ts';

const listener = `
const { createServer } = require('node:net');
createServer().listen(Number(process.argv[1]), '127.0.0.1', () => process.stdout.write('ready'));
process.stdin.on('end', () => process.exit()).resume();
`;

// Guarantee: a taken port is reported with the process that has it, and a free one nearby is found.
test.runIf(process.platform === 'linux')('the owner of a port is named', async () => {
  const port = await freePort();
  expect(await tryPort(port)).toBeNull();
  expect(await portOwner(port)).toBeNull();
  const child = spawn(process.execPath, ['-e', listener, String(port)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await once(child.stdout, 'data');
    expect(await tryPort(port)).toBe('EADDRINUSE');
    expect(await portOwner(port)).toEqual({ pid: child.pid, name: expect.stringMatching(/\S/) });
    // Windows says EACCES of a port that a program holds for itself alone.
    for (const obstacle of ['EADDRINUSE', 'EACCES'])
      expect(await obstacleOwner(obstacle, port)).toMatchObject({ pid: child.pid });
    expect(await obstacleOwner('EADDRNOTAVAIL', port)).toBeNull();
    expect(await findFreePort(port)).toBeGreaterThan(port);
  } finally {
    child.stdin.end();
    await once(child, 'exit');
  }
});

// Guarantee: after the last port there is none to find, and none is tried.
test('beyond the last port', async () => {
  expect(await findFreePort(65_536)).toBeNull();
});

// Guarantee: however many ports in a row the system has reserved, a free one is found, and the words name the cause.
test.each([
  [3000, (port: number) => port >= 3000 && port < 3800],
  [5432, (port: number) => port >= 5000],
  [50_000, (port: number) => port >= 49_152],
  [65_535, (port: number) => port === 65_535],
] as const)('reserved ports from %i on', async (first, isReserved) => {
  const found = await findFreePort(first, undefined, async (port) => (isReserved(port) ? 'EACCES' : null));
  expect(found).toSatisfy((port: number) => port >= 1024 && port <= 65_535 && !isReserved(port));
  expect(await findFreePort(first, undefined, async () => 'EACCES')).toBeNull();
});

// Guarantee: a port that is offered is one at which browsers open a page.
test.each([
  [3659, 3660],
  [6665, 6670],
  [10_080, 10_081],
])('from %i on', async (first, found) => {
  expect(await findFreePort(first, undefined, async () => null)).toBe(found);
});

test('what the code of a port means', () => {
  expect(portObstacle('EACCES', 3000, 'win32')).toMatch(/Hyper-V, WSL or Docker.*excludedportrange/);
  expect(portObstacle('EACCES', 80, 'linux')).toMatch(/below 1024/);
  expect(portObstacle('EADDRNOTAVAIL', 3000)).toMatch(/no such address/);
  expect(portObstacle('EMFILE', 3000)).toBe('');
});

// Guarantee: Windows's output is read by position, whatever its language.
test('the listener is found in a translated netstat table', () => {
  const table = [
    '',
    'Aktive Verbindungen',
    '',
    '  Proto  Lokale Adresse         Remoteadresse          Status           PID',
    '  TCP    0.0.0.0:13001          0.0.0.0:0              ABHÖREN          11',
    '  TCP    127.0.0.1:3001         127.0.0.1:50000        HERGESTELLT      22',
    '  TCP    [::]:3001              [::]:0                 ABHÖREN          33',
    '  UDP    0.0.0.0:3002           *:*                                     44',
  ].join('\r\n');
  expect(listenerPidOf(table, 3001)).toBe(33);
  expect(listenerPidOf(table, 3002)).toBeNull();
});
