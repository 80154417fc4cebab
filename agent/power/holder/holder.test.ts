import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { isAlive } from '#runtime/live-process.ts';
import { familyOf, killFamily } from '../process/game-family.ts';
import { bootId, identify, stillRuns } from '../process/process-identity.ts';
import { endLaunched, holderProgram, startTestPower } from '../testing/test-power.ts';
import { openConsoleLog } from './console-log.ts';
import { openConsoleReader } from './console-reader.ts';
import { connectHolder } from './holder-client.ts';
import { readHolderRecord, writeHolderRecord } from './holder-record.ts';
import { holderAddress, newNonce, proofOf, sendMessage } from './holder-wire.ts';
import { launchHolder } from './launch-holder.ts';

const folderOf = async (name = 'holder') => {
  const folder = await temporaryFolder(name);
  onTestFinished(async () => {
    await endLaunched(folder.path);
    await folder[Symbol.asyncDispose]();
  });
  return folder.path;
};
const running = async (folder: string) => {
  const it = await startTestPower({ folder, command: ['bash', '-c', 'echo up; exec sleep 1000'] });
  onTestFinished(() => it[Symbol.asyncDispose]());
  await it.act('start');
  const record = await readHolderRecord(it.powerFolder);
  if (!record?.game) throw new Error('no game');
  return { it, record, game: record.game };
};

// Guarantee: a stranger at the holder's socket is cut off and learns nothing, whatever they send; the game keeps running.
test('strangers', async () => {
  const { it, record, game } = await running(await folderOf());
  const { powerFolder } = it;
  const nonce = newNonce();
  const attempts: readonly (readonly unknown[])[] = [
    [{ type: 'ask', id: 1, request: 'kill', text: '' }],
    [{ type: 'hello', nonce, proof: '' }],
    [{ type: 'hello', nonce, proof: proofOf('agent', 'another secret', nonce) }],
    // Its own words, sent back.
    [{ type: 'hello', nonce, proof: proofOf('holder', record.secret, nonce) }],
    // A proof for another connection.
    [{ type: 'hello', nonce, proof: proofOf('agent', record.secret, nonce) }],
    ['no message'],
    [{ type: 'hello', nonce: 'n'.repeat(200_000), proof: 'p' }],
  ];
  for (const messages of attempts) {
    const socket = connect(holderAddress(powerFolder, record.secret));
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
    });
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    for (const message of messages) sendMessage(socket, message as never);
    await closed;
    expect(heard).not.toContain('status');
    expect(heard).not.toContain('welcome');
  }
  const wrong = { powerFolder, secret: 'another', timeoutMs: 2000, onChange: () => undefined };
  expect(await connectHolder(wrong)).toBe(null);
  expect(isAlive(game.pid)).toBe(true);
  if (process.platform !== 'win32')
    expect((await stat(join(powerFolder, 'holder.sock'))).mode & 0o777).toBe(0o600);
});

// Guarantee: a local user who takes names that a holder might use, or has used, neither keeps the game from starting nor receives a
// word: everything of holder and agent is in a folder that only the agent's account can enter.
test('names that another account takes', async () => {
  const folder = await folderOf();
  const powerFolder = join(await realpath(folder), 'power');
  const name = createHash('sha256').update(powerFolder).digest('hex').slice(0, 32);
  let heard = '';
  const squatter = createServer((socket) => {
    socket.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
    });
    socket.on('error', () => undefined);
    heard += 'a visitor';
  });
  await new Promise<void>((resolve) => squatter.listen(`\0castellan-holder-${name}`, resolve));
  onTestFinished(() => void squatter.close());
  const { it } = await running(folder);
  expect(await it.way.write?.('say hello')).toBe(null);
  expect(await it.act('restart')).toMatchObject({ outcome: 'done' });
  expect(heard).toBe('');
  expect((await stat(powerFolder)).mode & 0o777).toBe(0o700);
});

// Guarantee: neither the arguments nor the environment of holder and game contain the secret between agent and holder.
test('nothing secret in arguments', async () => {
  const { record, game } = await running(await folderOf());
  for (const pid of [record.holder.pid, game.pid])
    for (const name of ['cmdline', 'environ'])
      expect(await readFile(`/proc/${pid}/${name}`, 'latin1')).not.toContain(record.secret);
});

// Guarantee: a process that merely has the game's pid is not a game: not reported as running, not ended, not waited for.
test('a pid taken over by another program', async () => {
  const folder = await folderOf();
  const { it, record, game } = await running(folder);
  await it.act('kill');
  await eventually(() => expect(isAlive(record.holder.pid)).toBe(false));
  const self = await identify(process.pid);
  if (!self) throw new Error('no process');
  const holder = { ...record.holder, pid: process.pid };
  for (const taken of [
    { ...game, pid: process.pid },
    { ...self, started: game.started },
    { ...self, program: '/usr/games/another' },
    { ...self, boot: 'an-earlier-start-of-the-machine' },
  ]) {
    const written = { ...record, ended: null, holder, game: taken };
    expect(await stillRuns(taken, record.launch)).toBe(false);
    expect(await familyOf(written)).toEqual([]);
    expect(await killFamily(written, 1000)).toEqual([]);
    await writeHolderRecord(it.powerFolder, written);
    expect((await it.way.look()).is).toBe('ended');
    expect(await it.way.kill()).toBe(null);
  }
  await writeHolderRecord(it.powerFolder, {
    ...record,
    ended: null,
    boot: 'an-earlier-start-of-the-machine',
  });
  expect(await it.way.look()).toEqual({ is: 'absent' });
  expect(bootId()).toBe(self.boot);
});

// Guarantee: two holders never have the same game: the second gives way, also to a game whose holder was killed.
test('one holder at a time', async () => {
  const { it, record, game } = await running(await folderOf());
  const order = {
    powerFolder: it.powerFolder,
    launch: randomUUID(),
    secret: randomBytes(9).toString('hex'),
    program: '/bin/sleep',
    args: ['1000'],
    isVerbatim: false,
    folder: it.powerFolder,
    account: null,
  };
  expect(await launchHolder(order, holderProgram).failed).toContain('Another holder');
  process.kill(record.holder.pid, 'SIGKILL');
  await eventually(() => expect(isAlive(record.holder.pid)).toBe(false));
  expect(await launchHolder(order, holderProgram).failed).toContain('still runs');
  expect(isAlive(game.pid)).toBe(true);
  expect(await it.way.look()).toMatchObject({ is: 'running', pid: game.pid });
  expect(await it.act('stop')).toMatchObject({ outcome: 'done' });
  expect(isAlive(game.pid)).toBe(false);
});

// Guarantee: a holder that hangs does not make the game count as running or ended; a kill still ends the game.
test('a holder that hangs', { timeout: 90_000 }, async () => {
  const folder = await folderOf();
  const { it, record, game } = await running(folder);
  await it[Symbol.asyncDispose]();
  process.kill(record.holder.pid, 'SIGSTOP');
  await using next = await startTestPower({ folder, command: ['sleep', '1000'] });
  await eventually(() =>
    expect(next.power.report()).toMatchObject({
      state: 'unknown',
      detail: expect.stringContaining('does not answer'),
    }),
  );
  expect(await next.act('start')).toMatchObject({ outcome: 'failed' });
  expect(isAlive(game.pid)).toBe(true);
  expect(await next.act('kill')).toMatchObject({ outcome: 'done' });
  expect(isAlive(game.pid)).toBe(false);
  expect(isAlive(record.holder.pid)).toBe(false);
  expect(await next.act('start')).toMatchObject({ outcome: 'done' });
});

// Guarantee: lines keep their numbers across files and starts, are read once each, and the files stay within their limit.
test('the console log', async () => {
  const folder = join(await folderOf(), 'console');
  await mkdir(folder);
  const limits = { fileBytes: 2000, allBytes: 6000 };
  const texts: string[] = [];
  await using reader = openConsoleReader(folder, 0);
  const readAll = async () => {
    for (let lines = await reader.readOn(); lines.length > 0; lines = await reader.readOn())
      for (const { number, text } of lines) texts[number - 1] = text;
  };
  for (let start = 0; start < 5; start += 1) {
    using log = openConsoleLog(folder, limits);
    for (let line = 0; line < 100; line += 1) {
      log.add([`start ${start}`, `line ${line} – 方舟`]);
      if (line % 7 === 0) await readAll();
    }
    expect(log.last()).toBe((start + 1) * 200);
    // A power failure may leave half a line.
    const newest = (await readdir(folder)).sort().at(-1) ?? '';
    if (start === 2) await appendFile(join(folder, newest), '601 17 half of a li');
    await readAll();
  }
  expect(texts.length).toBe(1000);
  expect(texts.filter((text) => text === undefined)).toEqual([]);
  expect(texts[601]).toBe('line 0 – 方舟');
  expect((await readdir(folder)).length).toBeLessThan(6);
  await using late = openConsoleReader(folder, 3);
  const kept = await late.readOn();
  expect(kept[0]?.number).toBeGreaterThan(600);
  expect(kept.at(-1)).toMatchObject({ number: 1000, text: 'line 99 – 方舟' });
});

// Guarantee: with a state folder that cannot be written, no game is started, and the message says why.
test('a folder that takes nothing', async () => {
  const folder = await folderOf();
  await using it = await startTestPower({ folder, command: ['sleep', '1000'] });
  await eventually(() => expect(it.power.report().state).toBe('stopped'));
  await rm(it.powerFolder, { recursive: true });
  await writeFile(it.powerFolder, 'a file stands there');
  expect(await it.act('start')).toMatchObject({ outcome: 'failed' });
  expect(it.power.report()).toMatchObject({ wanted: 'stopped' });
});
