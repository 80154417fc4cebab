import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServerMessage, serverMessage } from '#contracts/kernel/live.ts';
import { eventually } from '#harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { createRedactor, type Redact } from '#runtime/redact.ts';
import { silentLog } from '../../kernel/testing/feature-api.ts';
import { createComponentLogTopic } from './component-log-topic.ts';
import { downloadLog } from './component-logs.ts';

const megabyte = 1024 * 1024;
const secret = 'hunter2-hunter2-hunter2';
let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await temporaryFolder('read-lines');
});
afterEach(() => folder[Symbol.asyncDispose]());

const put = (name: string, content: string) => writeFile(join(folder.path, name), content);
const download = async (): Promise<string> =>
  text(await downloadLog({ folder: folder.path, component: 'api', redact: createRedactor([secret]) }));

/** A client that watches the log from now on. */
const follow = (redact: Redact) => {
  const messages: ServerMessage[] = [];
  const topic = createComponentLogTopic({ folder: folder.path, redact, log: silentLog });
  const subscriber = {
    isReady: () => true,
    maySee: () => true,
    send: (message: string) => void messages.push(serverMessage.parse(JSON.parse(message))),
  };
  topic.subscribe(subscriber, { since: null, serverId: null, component: 'api' });
  const logs = () => messages.filter((message) => message.type === 'log');
  return {
    messages,
    said: () => logs().flatMap(({ rows }) => rows.map(({ message }) => message)),
    skipped: () => logs().reduce((sum, { skipped }) => sum + skipped, 0),
    [Symbol.dispose]: () => topic[Symbol.dispose](),
  };
};

// Guarantee: however many blank lines are between two others, neither is lost.
test('blank lines', async () => {
  const blanks = '\n'.repeat(3 * megabyte);
  await put('api.log.1', `a\n${blanks}b\n`);
  await put('api.log', `c\n${blanks}d\n`);
  expect(await download()).toBe('a\nb\nc\nd\n');
});

// Guarantee: a line that is read in pieces is one line in the download, and a secret is masked where two pieces meet.
test('a line in pieces', async () => {
  const before = 'x'.repeat(megabyte - 10);
  const after = 'y'.repeat(2 * megabyte);
  await put('api.log.1', `first\n${before}${secret}${after}\nnext\n`);
  await put('api.log.2', 'z'.repeat(megabyte));
  await put('api.log', 'last\n');
  const found = await download();
  const lengths = [5, before.length + '[redacted]'.length + after.length, 4, megabyte, 4, 0];
  expect(found.split('\n').map((line) => line.length)).toEqual(lengths);
  expect(found).not.toContain('hunter2');
});

// Guarantee: a read that fails in the middle is resumed where it stopped: no line comes twice, none is missing.
test('a read that fails in the middle', async () => {
  let failures = 0;
  const redact: Redact = (line) => {
    if (line === 'last' && failures === 0) {
      failures += 1;
      throw new Error('the disk is away for a moment');
    }
    return line;
  };
  await put('api.log', '');
  using client = follow(redact);
  await eventually(() => expect(client.messages.map(({ type }) => type)).toEqual(['subscribed']));
  await put('api.log', `${`${'x'.repeat(99)}\n`.repeat(15_000)}last\n`);
  await eventually(() => expect(client.said().at(-1)).toBe('last'));
  expect(failures).toBe(1);
  expect(client.said().length + client.skipped()).toBe(15_001);
});
