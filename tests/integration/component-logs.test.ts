import { expect, test } from 'vitest';
import { type ServerMessage, serverMessage } from '#contracts/kernel/live.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { createRedactor } from '#runtime/redact.ts';
import { openLogFile } from '../../electron/logs/log-file.ts';
import { createComponentLogs } from '../../server/operations/component-logs/component-logs.ts';

const numberOf = ({ message }: { readonly message: string }): number => Number(message.split(' ')[1]);

// Guarantee: while the supervisor writes, rotates files and removes old ones, the API's pages hold every kept line, once and in
// order, and its live stream misses none.
test('reading what the supervisor writes', async () => {
  await using folder = await temporaryFolder('supervised-logs');
  const troubles: string[] = [];
  const writer = openLogFile({
    folder: folder.path,
    name: 'api.log',
    fullBytes: 20_000,
    onTrouble: (_path, error) => troubles.push(error.message),
  });
  const log = createLog({ component: 'test', level: 'silent' });
  const logs = createComponentLogs({ folder: folder.path, redact: createRedactor(), log });
  using topic = logs.topic;
  const messages: ServerMessage[] = [];
  using _subscription = topic.subscribe(
    {
      isReady: () => true,
      send: (message) => messages.push(serverMessage.parse(JSON.parse(message))),
      maySee: () => true,
    },
    { since: null, serverId: null, component: 'api' },
  );
  await eventually(() => expect(messages.map(({ type }) => type)).toEqual(['subscribed']));

  const received = () => messages.filter((message) => message.type === 'log');
  const receivedRows = () => received().flatMap((message) => message.rows.map(numberOf));
  const skipped = () => received().reduce((sum, message) => sum + message.skipped, 0);

  // A file takes about 200 lines, and six are kept: the reader may be two files behind.
  const total = 3000;
  const farthestBehind = 400;
  let written = 0;
  const write = async () => {
    while (written < total) {
      for (let index = 0; index < 5; index += 1) {
        written += 1;
        writer.write(JSON.stringify({ level: 'info', msg: `line ${written} ${'x'.repeat(60)}` }));
      }
      await writer.ready();
      await new Promise((resolve) => setImmediate(resolve));
      const isNear = () => receivedRows().length + skipped() >= written - farthestBehind;
      if (written % 100 === 0) await eventually(() => expect(isNear()).toBe(true));
    }
    await writer[Symbol.asyncDispose]();
  };
  const readAll = async (): Promise<number[]> => {
    const numbers: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await logs.search('api', { limit: 50, ...(cursor === undefined ? {} : { cursor }) });
      numbers.push(...page.rows.map(numberOf));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return numbers;
  };

  const writing = write();
  let readings = 0;
  for (let isOver = false; !isOver; readings += 1) {
    isOver = written >= total;
    const numbers = await readAll();
    const [newest = 0] = numbers;
    expect(numbers).toEqual(numbers.map((_, index) => newest - index));
  }
  await writing;
  expect(readings).toBeGreaterThan(1);
  expect((await readAll())[0]).toBe(total);

  await eventually(() => expect(receivedRows().at(-1)).toBe(total));
  const numbers = receivedRows();
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(numbers.length + skipped()).toBe(total);
  expect(troubles).toEqual([]);
});
