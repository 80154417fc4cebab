import {
  appendFile,
  copyFile,
  open,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { createLineSplitter } from './line-splitter.ts';
import { followLog, type LogPosition } from './log-tail.ts';

const log = createLog({ component: 'agent', level: 'silent' });
const line = (number: number) =>
  `[12:${String(Math.floor(number / 60)).padStart(2, '0')}:${String(number % 60).padStart(2, '0')}] [Server thread/INFO]: line ${number}\n`;
const linesFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => line(first + index)).join('');

/** A log with fifty lines from before, and the agents that read it one after the other. */
const openSetting = async () => {
  const folder = await temporaryFolder('rotated');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const path = join(folder.path, 'latest.log');
  await writeFile(path, linesFrom(1, 50));
  const heard: string[] = [];
  let at: LogPosition | null = null;
  let reads = 0;
  const follow = () =>
    followLog({
      path,
      from: at,
      onLine(text, _ageMs, end) {
        heard.push(text);
        at = end;
      },
      async onRead() {
        reads += 1;
      },
      log,
      pollMs: 5,
    });
  const started = await follow();
  at = started.start();
  return {
    path,
    heard,
    follow,
    started,
    /** After this, what was there before has been looked at. */
    async looked() {
      const before = reads;
      await eventually(() => expect(reads).toBeGreaterThan(before + 2));
    },
  };
};
type Setting = Awaited<ReturnType<typeof openSetting>>;

/** What happens to the log, in steps that the reader may or may not see one by one; what it hears then. */
const rotations: readonly (readonly [
  string,
  readonly ((it: Setting) => Promise<unknown>)[],
  heard: readonly number[],
  heardByTheNextAgent?: readonly number[],
])[] = [
  [
    'replaced by a longer copy (rsync)',
    [
      async ({ path }) => {
        await writeFile(`${path}.new`, linesFrom(1, 53));
        await rename(`${path}.new`, path);
      },
    ],
    [51, 52, 53],
  ],
  [
    'replaced by a longer copy, the old one kept beside it',
    [
      async ({ path }) => {
        await rename(path, `${path}~`);
        await writeFile(path, linesFrom(1, 53));
      },
    ],
    [51, 52, 53],
  ],
  ['written again in place, longer', [({ path }) => writeFile(path, linesFrom(1, 53))], [51, 52, 53]],
  [
    'written again in place, slowly',
    [
      ({ path }) => truncate(path),
      ({ path }) => appendFile(path, linesFrom(1, 20)),
      ({ path }) => appendFile(path, linesFrom(21, 53)),
    ],
    [51, 52, 53],
  ],
  [
    'copied, cut and grown past its old length (copytruncate)',
    [
      async ({ path }) => {
        await copyFile(path, `${path}.1`);
        await writeFile(path, linesFrom(51, 130));
      },
    ],
    Array.from({ length: 80 }, (_, index) => 51 + index),
  ],
  [
    'copied, cut and grown a little',
    [
      async ({ path }) => {
        await copyFile(path, `${path}.1`);
        await writeFile(path, linesFrom(51, 55));
      },
    ],
    [51, 52, 53, 54, 55],
  ],
  [
    'cut at its beginning, as by a limit of lines',
    [({ path }) => writeFile(path, linesFrom(30, 53))],
    [51, 52, 53],
  ],
  [
    'replaced by a copy that is cut at its beginning',
    [
      async ({ path }) => {
        await writeFile(`${path}.new`, linesFrom(30, 53));
        await rename(`${path}.new`, path);
      },
    ],
    [51, 52, 53],
  ],
  [
    'its last lines removed, and others added',
    [async ({ path }) => writeFile(path, linesFrom(1, 45) + linesFrom(61, 63))],
    [61, 62, 63],
    // Which of its lines are new is not known: none is better than an old one.
    [],
  ],
  [
    'cut under a writer that keeps its place',
    [
      async ({ path }) => {
        const { size } = await stat(path);
        await truncate(path);
        await using file = await open(path, 'r+');
        await file.write(line(51), size);
      },
      ({ path }) => appendFile(path, line(52)),
    ],
    [51, 52],
  ],
  [
    'renamed and made anew (midnight, gzipped)',
    [
      async ({ path }) => {
        await rename(path, `${path}.1`);
        await appendFile(`${path}.1`, line(51));
        await writeFile(path, '');
      },
      ({ path }) => rm(`${path}.1`),
      ({ path }) => appendFile(path, linesFrom(52, 54)),
    ],
    [51, 52, 53, 54],
    // The rest of the renamed file is gone with it.
    [52, 53, 54],
  ],
  [
    'a size that lags, and comes back',
    [
      async ({ path }) => {
        const whole = await readFile(path);
        await truncate(path, whole.length - 200);
      },
      async ({ path }) => {
        const { size } = await stat(path);
        await appendFile(path, linesFrom(1, 50).slice(size));
      },
      ({ path }) => appendFile(path, line(51)),
    ],
    [51],
  ],
  [
    'the same log under another number, as Samba and FUSE may show it (archiecobbs/logwarn#8, ipfs/kubo#11429)',
    [
      async ({ path }) => {
        await copyFile(path, `${path}.new`);
        await rename(`${path}.new`, path);
      },
      ({ path }) => appendFile(path, line(51)),
      async ({ path }) => {
        await copyFile(path, `${path}.new`);
        await appendFile(`${path}.new`, line(52));
        await rename(`${path}.new`, path);
      },
    ],
    [51, 52],
  ],
  ['only grown', [({ path }) => appendFile(path, linesFrom(51, 52))], [51, 52]],
];

const texts = (numbers: readonly number[]) => numbers.map((number) => line(number).trimEnd());

// Guarantee: whatever a rotation, a share or a copy does to the log, each line is heard once, none from before, and none from its middle.
test.for(rotations)('%s, while it is read', async ([, steps, expected]) => {
  const it = await openSetting();
  await using _tail = it.started;
  for (const step of steps) {
    await step(it);
    await it.looked();
  }
  expect(it.heard).toEqual(texts(expected));
});

test.for(rotations)('%s, between two agents', async ([, steps, expected, heardByTheNextAgent = expected]) => {
  const it = await openSetting();
  await it.started[Symbol.asyncDispose]();
  for (const step of steps) await step(it);
  await using _tail = await it.follow();
  await it.looked();
  expect(it.heard).toEqual(texts(heardByTheNextAgent));
});

// Guarantee: a log that is opened while the game writes a line is read from the next line on.
test('a line that is being written', async () => {
  const it = await openSetting();
  await it.started[Symbol.asyncDispose]();
  await appendFile(it.path, '[12:34:56] [Server thread/INFO]: <Ann> I say: ');
  const heard: string[] = [];
  await using _tail = await followLog({
    path: it.path,
    onLine: (text) => void heard.push(text),
    log,
    pollMs: 5,
  });
  await appendFile(it.path, `[12:34:56] [Server thread/INFO]: <Bob> !buy\n${line(52)}`);
  await eventually(() => expect(heard).toEqual(texts([52])));
});

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

// Guarantee: a line is read in the encoding that it was written in, also where a log changes it in the middle.
test.each<[string, string | undefined, Buffer, readonly string[]]>([
  ['UTF-8', undefined, bytes('größer ж 名\n'), ['größer ж 名']],
  ['UTF-8 with a mark', undefined, bytes([0xef, 0xbb, 0xbf], 'first\nsecond\n'), ['first', 'second']],
  ['cp1252', 'windows-1252', bytes('Gr', [0xf6, 0xdf], 'e ', [0x80], '\r\n'), ['Größe €']],
  ['cp1251', 'windows-1251', bytes([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2], '\r\n'), ['Привет']],
  ['GBK', 'gbk', bytes([0xc4, 0xe3, 0xba, 0xc3], '!\r\n'), ['你好!']],
  ['GB18030', 'gb18030', bytes([0x81, 0x39, 0xef, 0x30], '\n'), ['㐁']],
  ['Shift-JIS', 'shift_jis', bytes([0x95, 0x5c, 0x8e, 0xa6], '\r\n'), ['表示']],
  ['Big5', 'big5', bytes([0xa7, 0x41, 0xa6, 0x6e], '\r\n'), ['你好']],
  ['EUC-KR', 'euc-kr', bytes([0xbe, 0xc8], '\n'), ['안']],
  [
    'UTF-16 with a mark',
    undefined,
    Buffer.from('\uFEFF[12] Größe ж\r\n[13] 名前\r\n', 'utf16le'),
    ['[12] Größe ж', '[13] 名前'],
  ],
  [
    'UTF-16 after UTF-8, as `>>` of PowerShell writes it',
    undefined,
    Buffer.concat([bytes('[1] ä\n'), Buffer.from('[2] ä\r\n[3] b\r\n', 'utf16le')]),
    ['[1] ä', '[2] ä', '[3] b'],
  ],
  ['two code pages', 'windows-1251', bytes('ж\n', [0xe6], '\nж\n'), ['ж', 'ж', 'ж']],
  ['not the right one', 'windows-1252', bytes([0xc4, 0xe3], '\n'), ['Äã']],
])('%s', (_, encoding, content, expected) => {
  expect(createLineSplitter(encoding).take(content)).toEqual(expected);
  const splitter = createLineSplitter(encoding);
  expect(Array.from(content, (byte) => splitter.take(Uint8Array.of(byte))).flat()).toEqual(expected);
});

// Guarantee: a line that is cut within a letter stays UTF-8.
test('a long line of letters', () => {
  const [cut] = createLineSplitter('windows-1252').take(Buffer.from(`${'ж'.repeat(10_000)}x\n`));
  expect(cut).toMatch(/^ж{8192}$/);
  const [odd] = createLineSplitter('windows-1252').take(Buffer.from(`x${'ж'.repeat(10_000)}\n`));
  expect(odd).toMatch(/^xж{8191}$/);
});
