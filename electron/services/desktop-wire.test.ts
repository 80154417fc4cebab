import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { ElevatedAct } from '../elevation/elevated-act.ts';
import type { RunElevated } from '../elevation/run-elevated.ts';
import { connectToDesktop } from './desktop-connection.ts';
import { wireAddress, wireNameOf } from './desktop-wire.ts';
import { type ElevatedWork, workElevated } from './work-elevated.ts';

const work = (runElevated: RunElevated, more: Partial<ElevatedWork> = {}): ElevatedWork => ({
  act: 'install',
  home: '/home of eva',
  user: 'Eva "Größe"',
  runElevated,
  onStep: () => undefined,
  onAccess: async () => undefined,
  perform: async () => undefined,
  ...more,
});
const nameIn = (act: ElevatedAct): string => (act.act === 'services' ? act.wire : '');

// Guarantee: what must run with an administrator's rights learns from its arguments whose data folder and desktop it is for, and
// sends the key only over the wire.
test('what crosses', async () => {
  const steps: string[] = [];
  const keys: string[] = [];
  const result = await workElevated(
    work(
      async (act) => {
        const wire = nameIn(act);
        expect(act).toEqual({
          act: 'services',
          change: 'install',
          home: '/home of eva',
          wire,
          user: 'Eva "Größe"',
        });
        await using desktop = await connectToDesktop(wire);
        desktop.step({ kind: 'create', component: 'bot' });
        await desktop.ask('stop-app');
        await expect(desktop.ask('start-app')).rejects.toThrow('it does not start');
        desktop.access('cst_key');
        desktop.end({ outcome: 'done' });
        return { outcome: 'done', exitCode: 0 };
      },
      {
        onStep: ({ kind, component }) => steps.push(`${kind} ${component}`),
        onAccess: async (key) => void keys.push(key.reveal()),
        perform: (act) =>
          act === 'stop-app' ? Promise.resolve() : Promise.reject(new Error('it does not start')),
      },
    ),
  );
  expect([result, steps, keys]).toEqual([{ outcome: 'done' }, ['create bot'], ['cst_key']]);
});

// Guarantee: an elevated process that says nothing, or nonsense, or dies, is a failure and no endless wait.
test('what goes wrong', async () => {
  const silent = await workElevated(work(async () => ({ outcome: 'failed', exitCode: 3 })));
  expect(silent).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('3') });
  expect(await workElevated(work(async () => ({ outcome: 'impossible', exitCode: 740 })))).toEqual({
    outcome: 'impossible',
  });
  const nonsense = await workElevated(
    work(async (act) => {
      const socket = connect(wireAddress(nameIn(act)));
      socket.on('error', () => undefined).resume();
      socket.write('{"type":"end","result":{"outcome":"wonderful"}}\n');
      await new Promise((resolve) => socket.once('close', resolve));
      return { outcome: 'failed', exitCode: 1 };
    }),
  );
  expect(nonsense).toMatchObject({ outcome: 'failed' });
});

/** Listens where a desktop would, and shows a key. */
const standIn = async (listensFor: string, shows = listensFor) => {
  const name = wireNameOf(listensFor);
  const sockets: Socket[] = [];
  const heard: string[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('data', (data) => heard.push(data.toString())).on('error', () => undefined);
    socket.write(`${JSON.stringify({ type: 'hello', publicKey: shows })}\n`);
  });
  await new Promise<void>((resolve) => server.listen({ path: wireAddress(name) }, resolve));
  return { name, sockets, heard, server };
};

// Guarantee: a stranger who connects first and says nothing does not disturb the elevated process; only one is heard,
// and no other one is waited for.
test('a stranger who is first', async () => {
  const come = async (act: ElevatedAct) => {
    const stranger = connect(wireAddress(nameIn(act)));
    stranger.on('error', () => undefined).resume();
    await once(stranger, 'connect');
    return stranger;
  };
  const told = await workElevated(
    work(async (act) => {
      const stranger = await come(act);
      await using desktop = await connectToDesktop(nameIn(act));
      desktop.step({ kind: 'create', component: 'bot' });
      await once(stranger, 'close');
      await expect(connectToDesktop(nameIn(act))).rejects.toThrow('has closed');
      desktop.end({ outcome: 'done' });
      return { outcome: 'done', exitCode: 0 };
    }),
  );
  expect(told).toEqual({ outcome: 'done' });
  const refused = await workElevated(
    work(async (act) => {
      await come(act);
      return { outcome: 'refused', exitCode: 1223 };
    }),
  );
  expect(refused).toEqual({ outcome: 'refused' });
});

// Guarantee: a program that has taken the desktop's place is told nothing; even with the key that the desktop showed, it cannot
// read what is meant for the desktop.
test('a pretender', async () => {
  const other = await standIn('the key of the desktop', 'a key of its own');
  await expect(connectToDesktop(other.name)).rejects.toThrow('Another program');
  await expect.poll(() => other.sockets[0]?.destroyed).toBe(true);
  expect(other.heard).toEqual([]);
  other.server.close();

  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const shown = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const replaying = await standIn(shown);
  const desktop = await connectToDesktop(replaying.name);
  desktop.access('cst_key');
  await desktop[Symbol.asyncDispose]();
  expect(replaying.heard.join('')).toMatch(/"type":"access"/);
  expect(replaying.heard.join('')).not.toContain('cst_key');
  replaying.server.close();
});

// Guarantee: without its desktop nothing is begun; when a desktop goes away in the middle, what only it can do fails, so that
// everything is undone.
test('a desktop that is gone', async () => {
  await expect(connectToDesktop('0'.repeat(64))).rejects.toThrow('has closed');
  await expect(connectToDesktop('\\\\elsewhere\\pipe\\x')).rejects.toThrow('Only the desktop');
  const { name, sockets, server } = await standIn('a public key');
  await using desktop = await connectToDesktop(name);
  const asked = desktop.ask('stop-app').catch((error: Error) => error.message);
  await expect.poll(() => sockets.length).toBe(1);
  sockets[0]?.destroy();
  server.close();
  expect(await asked).toBe('The desktop has closed.');
  await expect(desktop.ask('start-app')).rejects.toThrow('has closed');
});
