import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import type { ReleaseServer } from '#harness/release-server.ts';
import { installer, releasePath, setUpUpdates } from '#harness/updates-setting.ts';

// Guarantee: a newer release is found, downloaded, verified and installed after a backup; and the installer of the running
// version is kept, for the way back.
test('from a check to an installation', async () => {
  await using setting = await setUpUpdates();
  const { server, updates, record, installed, states } = setting;
  await server.publish({ version: '0.1.0', installer: Buffer.from('the old one') });
  expect(updates.state().isNewest).toBe(false);
  await updates.check();
  expect(updates.state()).toMatchObject({ step: null, offer: null, trouble: null, isNewest: true });
  await server.publish({ version: '0.2.0', installer, notes: '<b>new</b>' });
  await updates.check();
  expect(updates.state()).toMatchObject({
    step: 'found',
    offer: { version: '0.2.0', notes: '<b>new</b>', sizeBytes: installer.length },
    isSkipped: false,
  });
  expect(server.asked.filter((path) => path.endsWith('.AppImage'))).toEqual([]);
  await updates.skip();
  expect(updates.state().isSkipped).toBe(true);
  await updates.download();
  expect(updates.state()).toMatchObject({ step: 'ready', trouble: null, receivedBytes: installer.length });
  expect(states.some(({ step }) => step === 'downloading')).toBe(true);
  expect(await readFile(join(setting.folder, 'kept/0.2.0/Castellan-0.2.0.AppImage'))).toEqual(installer);
  expect(await readdir(join(setting.folder, 'kept'))).toEqual(['0.1.0', '0.2.0']);
  await updates.install();
  await eventually(() => expect(installed).toEqual(['0.2.0']));
  expect(record.now().pending).toMatchObject({
    kind: 'update',
    from: '0.1.0',
    to: '0.2.0',
    backup: '/a/backup',
    answered: ['api'],
    failure: null,
  });
  // What the new version finds.
  const later = await setting.open({ installed: '0.2.0' });
  await later.lookedBack;
  expect(later.state().wayBack).toBe('0.1.0');
  expect(await readdir(join(setting.folder, 'kept'))).toEqual(['0.1.0', '0.2.0']);
  await later.goBack();
  await eventually(() => expect(installed).toEqual(['0.2.0', '0.1.0']));
  expect(record.now().pending).toMatchObject({
    kind: 'way-back',
    from: '0.2.0',
    to: '0.1.0',
    backup: '/a/backup',
  });
});

// Guarantee: where an installer knows which version this one has replaced, no other is offered as the way back, and what is kept
// is not deleted when it cannot be asked.
test.each([
  ['the replaced one', '0.1.0', '0.1.0', ['0.1.0', '0.3.0']],
  ['nothing recorded', null, null, ['0.2.0', '0.3.0']],
  ['a newer one, gone back from', '0.4.0', null, ['0.2.0', '0.3.0']],
  ['one that was not kept', '0.0.9', null, ['0.2.0', '0.3.0']],
])('the way back: %s', async (_what, replaced, wayBack, kept) => {
  await using setting = await setUpUpdates();
  const { server, updates, folder, installed } = setting;
  // Downloaded, and then passed over for the next one.
  for (const version of ['0.1.0', '0.2.0', '0.3.0']) {
    await server.publish({ version, installer });
    await updates.check();
    if (version !== '0.1.0') await updates.download();
  }
  const later = await setting.open({
    installed: '0.3.0',
    installation: {
      platform: 'linux-x64',
      install: async ({ version }) => void installed.push(version),
      wayBackFrom: async () => replaced,
    },
  });
  await later.lookedBack;
  expect(later.state().wayBack).toBe(wayBack);
  expect(await readdir(join(folder, 'kept'))).toEqual(kept);
  if (wayBack === null) return expect(later.goBack()).rejects.toThrow('No earlier version was kept.');
  await later.goBack();
  await eventually(() => expect(installed).toEqual([wayBack]));
});

// Guarantee: turned off, nothing is asked of any server, and a running action ends.
test('off', async () => {
  await using setting = await setUpUpdates();
  const { server, updates, record } = setting;
  await server.publish({ version: '0.2.0', installer });
  await updates.check();
  await updates.setMode('off');
  expect(updates.state()).toMatchObject({ mode: 'off', offer: null, step: null, nextCheckAt: null });
  server.asked.length = 0;
  await record.change({ lastCheckedAt: null });
  await expect(async () => updates.check()).rejects.toThrow('turned off');
  expect(server.asked).toEqual([]);
});

// Guarantee: anything a server offers that our key has not signed, or that is old, is refused, reported, and not offered.
test('refused releases', async () => {
  await using setting = await setUpUpdates();
  const { server, updates } = setting;
  await server.publish({ version: '0.3.0', installer });
  await updates.check();
  expect(updates.state().offer?.version).toBe('0.3.0');
  const expectTrouble = async (code: string) => {
    await updates.check();
    expect(updates.state()).toMatchObject({ trouble: { code } });
    return updates.state().offer?.version ?? null;
  };
  await server.publish({ version: '0.4.0', installer, keys: [] });
  expect(await expectTrouble('forged')).toBeNull();
  await server.publish({ version: '0.2.0', installer });
  expect(await expectTrouble('replayed')).toBeNull();
  await server.publish({ version: '0.3.0', installer, releasedAt: new Date(Date.now() - 9e7) });
  expect(await expectTrouble('replayed')).toBeNull();
  await server.publish({ version: '0.5.0', installer, expiresAt: new Date(Date.now() - 1000) });
  expect(await expectTrouble('expired')).toBeNull();
  server.instead(releasePath, (response) => response.end('x'.repeat(100_000)));
  expect(await expectTrouble('damaged')).toBeNull();
  server.instead(releasePath, (response) => response.end('<html>log in to the hotel</html>'));
  expect(await expectTrouble('forged')).toBeNull();
  server.instead(releasePath, null);
  await server.publish({ version: '0.6.0', installer });
  await updates.check();
  expect(updates.state()).toMatchObject({ step: 'found', trouble: null, offer: { version: '0.6.0' } });
});

// Guarantee: a server that is away, in trouble, or leads elsewhere costs nothing but the check; what was offered stays.
test('an unreachable server', async () => {
  await using setting = await setUpUpdates();
  const { server, updates } = setting;
  await server.publish({ version: '0.2.0', installer });
  await updates.check();
  let elsewhere = 0;
  const other = createServer((_request, response) => {
    elsewhere += 1;
    response.end('welcome');
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const target = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  const answers: readonly (readonly [number, Record<string, string>])[] = [
    [404, {}],
    [500, {}],
    [302, { Location: target }],
    [307, { Location: releasePath }],
  ];
  for (const [code, headers] of answers) {
    server.instead(releasePath, (response) => response.writeHead(code, headers).end());
    await updates.check();
    expect([code, updates.state().trouble?.code]).toEqual([code, 'unreachable']);
    expect(updates.state()).toMatchObject({ step: 'found', offer: { version: '0.2.0' } });
  }
  server.instead(releasePath, (response) => void response.destroy());
  await updates.check();
  expect(updates.state().trouble?.code).toBe('unreachable');
  expect(elsewhere).toBe(0);
  // What was offered before can still be downloaded.
  await updates.download();
  expect(updates.state()).toMatchObject({ step: 'ready', offer: { version: '0.2.0' } });
  other.close();
});

// Guarantee: a download that is cut, too long, too short, changed, or led elsewhere leaves no file and can be tried again.
test('broken downloads', async () => {
  await using setting = await setUpUpdates();
  const { server, updates, folder } = setting;
  await server.publish({ version: '0.2.0', installer });
  await updates.check();
  const path = '/0.2.0/Castellan-0.2.0.AppImage';
  const changed = Buffer.from(installer);
  changed[1000] = (changed[1000] ?? 0) ^ 1;
  const answers: readonly (readonly [string, Parameters<ReleaseServer['instead']>[1]])[] = [
    ['damaged', (response) => response.end(changed)],
    ['damaged', (response) => response.end(installer.subarray(0, 1000))],
    ['damaged', (response) => response.end(Buffer.concat([installer, installer]))],
    ['unreachable', (response) => response.writeHead(302, { Location: '/0.2.0/other' }).end()],
    ['unreachable', (response) => response.writeHead(404).end()],
    [
      'unreachable',
      (response) => {
        response.writeHead(200, { 'Content-Length': installer.length });
        response.write(installer.subarray(0, 1000), () => response.destroy());
      },
    ],
  ];
  for (const [index, [code, answer]] of answers.entries()) {
    server.instead(path, answer);
    await updates.download();
    expect([index, updates.state().trouble?.code]).toEqual([index, code]);
    expect(updates.state().step).toBe('found');
    expect(existsSync(join(folder, 'kept'))).toBe(false);
    expect(await readdir(join(folder, 'download/pending'))).toEqual([]);
  }
  server.instead(path, null);
  await updates.download();
  expect(updates.state()).toMatchObject({ step: 'ready', trouble: null });
});

// Guarantee: a folder that cannot be written is reported as a fault of the disk, and the download can be tried again.
test.each(['download', 'kept'])('the folder %s cannot be written', async (name) => {
  await using setting = await setUpUpdates();
  const { server, updates, folder } = setting;
  await server.publish({ version: '0.2.0', installer });
  await updates.check();
  const inTheWay = join(folder, name);
  await mkdir(folder, { recursive: true });
  await writeFile(inTheWay, 'a file');
  await updates.download();
  expect(updates.state()).toMatchObject({ step: 'found', trouble: { code: 'disk' } });
  await rm(inTheWay);
  await updates.download();
  expect(updates.state()).toMatchObject({ step: 'ready', trouble: null });
});

// Guarantee: a download can be cancelled, and is then as if it had never begun.
test('called off', async () => {
  await using setting = await setUpUpdates();
  const { server, updates } = setting;
  await server.publish({ version: '0.2.0', installer });
  await updates.check();
  const begun = Promise.withResolvers<void>();
  server.instead('/0.2.0/Castellan-0.2.0.AppImage', (response) => {
    response.writeHead(200, { 'Content-Length': installer.length });
    response.write(installer.subarray(0, 1000), () => begun.resolve());
  });
  const downloading = updates.download();
  await begun.promise;
  await expect(async () => updates.download()).rejects.toThrow();
  updates.cancel();
  await downloading;
  expect(updates.state()).toMatchObject({ step: 'found', trouble: null });
});

// Guarantee: a build that names no update server, or that was not installed, says so and contacts no server.
test('no source', async () => {
  await using setting = await setUpUpdates();
  const none = await setting.open({ source: null });
  expect(none.state()).toMatchObject({ obstacle: 'no-source', nextCheckAt: null });
  expect((await setting.open({ installation: null })).state().obstacle).toBe('not-installed');
  await expect(async () => none.check()).rejects.toThrow();
  expect(setting.server.asked).toEqual([]);
});
