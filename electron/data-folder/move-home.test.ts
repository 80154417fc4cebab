import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testIf } from '#harness/test-if.ts';
import { HomeHeldError, holdHome } from '../control/held-home.ts';
import { smallHome, writeFiles } from '../testing/small-home.ts';
import { goBack, holdAndGoBack, keptHomeOf, removeKeptHome } from './kept-home.ts';
import { halfCopyOf, type MoveProgress, moveHome } from './move-home.ts';
import { demandOwnHome, followMoves, readMark, writeMark } from './move-marks.ts';

const openHomes = async () => {
  const folder = await temporaryFolder('move');
  const home = join(folder.path, 'old');
  await writeFiles(home, smallHome);
  return {
    home,
    target: join(folder.path, 'Größe Ελλάδα', 'new home'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
};
type Homes = Awaited<ReturnType<typeof openHomes>>;

const move = (
  { home, target }: Homes,
  onProgress: (progress: MoveProgress) => void = () => undefined,
  signal = new AbortController().signal,
) => moveHome({ home, target, signal, onProgress });
const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
const isHomeStill = async ({ home, target }: Homes) => {
  await demandOwnHome(home);
  expect(await followMoves(home)).toBe(home);
  expect(await exists(join(target, '.env'))).toBe(false);
  for (const [path, text] of Object.entries(smallHome))
    expect(await readFile(join(home, path), 'utf8')).toBe(text);
};

// Guarantee: everything moves along, with its permissions; the old folder leads to the new one and starts nothing any more,
// and is deleted only on request.
test('a move, and the end of the old folder', async () => {
  await using homes = await openHomes();
  const { home, target } = homes;
  await chmod(join(home, 'postgres/data'), 0o700);
  await chmod(join(home, '.env'), 0o600);
  await symlink('superuser.password', join(home, 'postgres/link'));
  await writeFile(join(home, 'supervisor.json'), '{}');
  await writeFile(join(home, '.env.lock'), '{}');
  const steps = new Set<string>();
  expect(await move(homes, ({ step }) => steps.add(step))).toEqual({ outcome: 'moved' });
  expect([...steps]).toEqual(['copy', 'verify']);
  for (const [path, text] of Object.entries(smallHome))
    expect(await readFile(join(target, path), 'utf8')).toBe(text);
  expect((await stat(join(target, 'postgres/data'))).mode & 0o777).toBe(0o700);
  expect((await stat(join(target, '.env'))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(target, 'postgres/link'), 'utf8')).toBe('a password\n');
  expect((await readdir(target)).toSorted()).toEqual(
    ['.env', 'backups', 'license.json', 'logs', 'moved-from.json', 'postgres'].toSorted(),
  );

  expect(await followMoves(home)).toBe(target);
  await expect(holdHome(home, 'a test')).rejects.toThrow(`was moved to ${target}`);
  await (await holdHome(target, 'a test'))[Symbol.asyncDispose]();
  expect(await keptHomeOf(target)).toBe(home);
  expect(await removeKeptHome(target)).toBe(true);
  expect(await readdir(home)).toEqual(['moved.json']);
  expect(await keptHomeOf(target)).toBeNull();
  expect(await followMoves(home)).toBe(target);
  // And back again, over the trace that was left.
  expect(await moveHome({ ...bare, home: target, target: home })).toEqual({ outcome: 'moved' });
  expect(await followMoves(target)).toBe(home);
  await demandOwnHome(home);
  await expect(demandOwnHome(target)).rejects.toThrow('was moved to');
});
const bare = { signal: new AbortController().signal, onProgress: () => undefined };

// Guarantee: nothing is copied into a folder of another account.
testIf(process.getuid?.() === 0)('a target of another account', async () => {
  await using homes = await openHomes();
  await mkdir(homes.target, { recursive: true });
  await chown(homes.target, 1, 1);
  expect(await move(homes)).toEqual({
    outcome: 'failed',
    detail: expect.stringContaining('belongs to the account daemon. Choose another folder'),
  });
  await isHomeStill(homes);
  expect(await readdir(homes.target)).toEqual([]);
});

// Guarantee: a byte that the disk got wrong is noticed before anything depends on the copy.
test('a flipped byte', async () => {
  await using homes = await openHomes();
  const spoil = ({ step }: MoveProgress) => {
    if (step === 'verify') writeFileSync(join(homes.target, 'postgres/data/PG_VERSION'), '17\n');
  };
  const report = await move(homes, spoil);
  expect(report).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining('was written with errors'),
  });
  await isHomeStill(homes);
  expect(await exists(homes.target)).toBe(false);
});

// Guarantee: a file that someone put beside a copy while it was made outlasts the copy.
test('a file of somebody else beside the copy', async () => {
  await using homes = await openHomes();
  const mine = join(dirname(homes.target), 'mine.txt');
  const cancel = new AbortController();
  const onProgress = ({ step }: MoveProgress) => {
    if (step !== 'verify') return;
    writeFileSync(mine, 'mine');
    cancel.abort();
  };
  expect(await move(homes, onProgress, cancel.signal)).toEqual({ outcome: 'cancelled' });
  expect(await exists(homes.target)).toBe(false);
  expect(await readFile(mine, 'utf8')).toBe('mine');
});

// Guarantee: what is written into the data folder behind a move's back is not lost in the old folder.
test('a home that changes meanwhile', async () => {
  await using homes = await openHomes();
  const change = ({ step }: MoveProgress) => {
    if (step === 'verify') writeFileSync(join(homes.home, 'license.json'), '{"revision":2}');
  };
  expect(await move(homes, change)).toMatchObject({
    detail: expect.stringContaining('changed while it was being copied'),
  });
  expect(await exists(homes.target)).toBe(false);
  const add = ({ step }: MoveProgress) => {
    if (step === 'verify') writeFileSync(join(homes.home, 'license.grace.json'), '{}');
  };
  expect(await move(homes, add)).toMatchObject({
    detail: expect.stringContaining('changed while it was being copied'),
  });
  expect(await exists(homes.target)).toBe(false);
  // The supervisor keeps writing its own log.
  const log = ({ step }: MoveProgress) => {
    if (step === 'verify') writeFileSync(join(homes.home, 'logs/api.log'), 'another line\n');
  };
  expect(await move(homes, log)).toEqual({ outcome: 'moved' });
});

// Guarantee: until the switch the move can be cancelled, and then nothing of it is left.
test.each(['copy', 'verify'] as const)('cancelled while it has to %s', async (when) => {
  await using homes = await openHomes();
  const cancel = new AbortController();
  const onProgress = ({ step }: MoveProgress) => step === when && cancel.abort();
  expect(await move(homes, onProgress, cancel.signal)).toEqual({ outcome: 'cancelled' });
  await isHomeStill(homes);
  expect(await exists(dirname(homes.target))).toBe(false);
  expect(await halfCopyOf(homes.home)).toBeNull();
});

const standsStillWhileCopying = `
import { moveHome } from ${JSON.stringify(join(import.meta.dirname, 'move-home.ts'))};
const [, , home, target] = process.argv;
await moveHome({
  home,
  target,
  signal: new AbortController().signal,
  onProgress() {
    process.send('in the middle');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
});`;

// Guarantee: killed in the middle of copying, the old data folder stays in use; the half copy is never started, is found, and
// makes way for the next attempt.
test('killed while copying', async () => {
  await using homes = await openHomes();
  const { home, target } = homes;
  const program = join(home, '..', 'mover.mjs');
  await writeFile(program, standsStillWhileCopying);
  const child = fork(program, [home, target]);
  await once(child, 'message');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await exists(join(target, 'unfinished-move.json'))).toBe(true);
  await demandOwnHome(home);
  expect(await followMoves(home)).toBe(home);
  expect(await halfCopyOf(home)).toBe(target);
  await expect(holdHome(target, 'a test')).rejects.toThrow('unfinished copy');
  expect(await followMoves(target)).toBe(home);
  expect(await move(homes)).toEqual({ outcome: 'moved' });
  await demandOwnHome(target);
});

// Guarantee: killed right after the switch, the new data folder is in force, and what was still to be written is written later.
test('killed after the switch', async () => {
  await using homes = await openHomes();
  const { home, target } = homes;
  await writeFiles(target, smallHome);
  await writeMark(home, 'moving', target);
  await writeMark(target, 'unfinished', home);
  await writeMark(home, 'moved', target);
  expect(await halfCopyOf(home)).toBeNull();
  expect(await followMoves(home)).toBe(target);
  await demandOwnHome(target);
  expect(await readMark(target, 'unfinished')).toBeNull();
  expect(await keptHomeOf(target)).toBe(home);
  // The old folder may then be removed by hand.
  await removeKeptHome(target);
  await demandOwnHome(target);
});

// Guarantee: the old folder becomes the data folder again only while the new one's database was never opened.
test('back to the old folder', async () => {
  await using homes = await openHomes();
  const { home, target } = homes;
  await move(homes);
  await writeFile(join(target, 'postgres/data/global/pg_control'), 'opened');
  expect(await goBack(target)).toBeNull();
  await expect(demandOwnHome(home)).rejects.toThrow('was moved');
  await writeFile(join(target, 'postgres/data/global/pg_control'), 'control');
  const held = await holdHome(target, 'a test');
  await expect(holdAndGoBack(target)).rejects.toThrow(HomeHeldError);
  await held[Symbol.asyncDispose]();
  expect(await holdAndGoBack(target)).toBe(home);
  await isHomeStillAfter(homes);
});
const isHomeStillAfter = async ({ home, target }: Homes) => {
  await demandOwnHome(home);
  expect(await followMoves(target)).toBe(home);
  expect(await halfCopyOf(home)).toBe(target);
  await expect(demandOwnHome(target)).rejects.toThrow('unfinished copy');
};

// Guarantee: the new data folder's settings name no file in the old one, and each other file is still found.
test('paths in the settings', async () => {
  await using homes = await openHomes();
  const { home, target } = homes;
  await writeFiles(home, {
    '.env': `# mine\nTLS_CERT_FILE=${home}/tls/a.pem\nTLS_KEY_FILE=/elsewhere/key.pem\nTRUSTED_CA_FILE=${home}/tls/ca.pem\n`,
    'tls/a.pem': 'a certificate',
  });
  expect(await move(homes)).toEqual({ outcome: 'moved' });
  expect(await readFile(join(target, '.env'), 'utf8')).toBe(
    '# mine\nTLS_CERT_FILE=tls/a.pem\nTLS_KEY_FILE=/elsewhere/key.pem\nTRUSTED_CA_FILE=tls/ca.pem\n',
  );
  const beside = join(dirname(home), 'certificates/a.pem');
  await writeFile(join(target, '.env'), `TLS_CERT_FILE=../../certificates/a.pem\nTLS_KEY_FILE=./tls/a.pem\n`);
  const next = join(dirname(home), 'next');
  expect(await moveHome({ ...bare, home: target, target: next })).toEqual({ outcome: 'moved' });
  expect(await readFile(join(next, '.env'), 'utf8')).toBe(
    `TLS_CERT_FILE=${beside}\nTLS_KEY_FILE=./tls/a.pem\n`,
  );
});

// Guarantee: what came into the chosen folder since it was checked is neither mixed with the data folder nor deleted.
test('a folder that is empty no more', async () => {
  await using homes = await openHomes();
  await writeFiles(homes.target, { 'photo.png': 'mine', 'postgres/mine': 'mine' });
  expect(await move(homes)).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining('is not empty'),
  });
  await isHomeStill(homes);
  expect((await readdir(homes.target)).toSorted()).toEqual(['photo.png', 'postgres']);
  expect(await readFile(join(homes.target, 'postgres/mine'), 'utf8')).toBe('mine');
});

// Guarantee: what a file system keeps for itself at the top of a disk is deleted neither with a copy nor with the old folder,
// and keeps neither from being deleted.
test('the top of a disk', async () => {
  await using homes = await openHomes();
  const { home, target } = homes;
  await mkdir(join(home, 'lost+found'));
  await mkdir(join(target, 'lost+found'), { recursive: true });
  const cancel = new AbortController();
  expect(await move(homes, () => cancel.abort(), cancel.signal)).toEqual({ outcome: 'cancelled' });
  expect(await readdir(target)).toEqual(['lost+found']);
  expect(await halfCopyOf(home)).toBeNull();
  expect(await move(homes)).toEqual({ outcome: 'moved' });
  expect(await removeKeptHome(target)).toBe(true);
  expect((await readdir(home)).toSorted()).toEqual(['lost+found', 'moved.json']);
  expect(await keptHomeOf(target)).toBeNull();
});

const saysHowItEnds = `
import { moveHome } from ${JSON.stringify(join(import.meta.dirname, 'move-home.ts'))};
const [, , home, target] = process.argv;
const signal = new AbortController().signal;
console.log(JSON.stringify(await moveHome({ home, target, signal, onProgress: () => undefined })));`;

// Guarantee: a full disk leaves the old data folder unchanged, and nothing of the copy.
test('a full disk', async () => {
  await using homes = await openHomes();
  const { home, target } = homes;
  await writeFile(join(home, 'backups/large'), Buffer.alloc(1 << 20));
  const program = join(home, '..', 'mover.mjs');
  await writeFile(program, saysHowItEnds);
  // Like a disk that fills up: small files still fit, a large one does not.
  const limited = 'ulimit -f 256; exec "$0" "$@"';
  const child = spawn('sh', ['-c', limited, process.execPath, program, home, target], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(JSON.parse(await text(child.stdout))).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining('EFBIG'),
  });
  await isHomeStill(homes);
  expect(await exists(target)).toBe(false);
});
