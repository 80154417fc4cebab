import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from '#runtime/redact.ts';
import { Secret } from '#runtime/secret.ts';
import { createComponentLog, createLineSplitter } from './component-log.ts';

const secret = 'hunter2-hunter2-hunter2';
const time = '2026-01-02T03:04:05.000Z';

const logOf = async (...output: (string | Buffer)[]) => {
  const written: string[] = [];
  const file = {
    write: (line: string) => void written.push(line),
    ready: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  const log = createComponentLog('api', file, createRedactor([new Secret(secret)]), () => new Date(time));
  const stream = new PassThrough();
  const followed = log.follow(stream);
  for (const chunk of output) stream.write(chunk);
  stream.end();
  await followed;
  return { written, lastLines: log.lastLines() };
};

// Guarantee: every line of a log file is one JSON object; our programs' own lines pass unchanged.
test('JSON passes, anything else is wrapped', async () => {
  const own = JSON.stringify({ level: 'error', time, component: 'api', msg: 'no', err: { message: 'why' } });
  const { written, lastLines } = await logOf(
    `${own}\n{not json\nFATAL:  out of memory\r\n\n`,
    Buffer.from([0xff, 10]),
  );
  expect(written[0]).toBe(own);
  expect(written.slice(1).map((line) => JSON.parse(line))).toEqual([
    { level: 'info', time, component: 'api', msg: '{not json' },
    { level: 'error', time, component: 'api', msg: 'FATAL:  out of memory' },
    { level: 'info', time, component: 'api', msg: '�' },
  ]);
  expect(lastLines).toEqual(['error: no: why', '{not json', 'FATAL:  out of memory', '�']);
});

// Guarantee: no secret reaches a log file or a status, whole or cut in two by the limit of a line.
test('secrets are cut out', async () => {
  const filler = 'x'.repeat(64 * 1024 - 10);
  const { written, lastLines } = await logOf(
    `{"level":"info","msg":"${secret}"}\npassword is ${secret}\n`,
    `${filler}${secret}\nafter\n`,
  );
  expect(JSON.stringify([written, lastLines])).not.toContain(secret.slice(0, 6));
  expect(written[0]).toBe('{"level":"info","msg":"[redacted]"}');
  expect(JSON.parse(written[2] ?? '').msg).toMatch(/^x+ … \(cut\)$/);
  expect(Math.max(...written.map((line) => line.length))).toBeLessThan(65 * 1024);
  expect(JSON.parse(written[3] ?? '').msg).toBe('after');
});

// Guarantee: however output is split into chunks on its way, the same lines come out.
test('lines do not depend on chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 1, max: 7 }), (parts, size) => {
      const whole = Buffer.from(parts.join('\n'));
      const splitter = createLineSplitter(1000);
      const lines = [];
      for (let from = 0; from < whole.length; from += size)
        lines.push(...splitter.push(whole.subarray(from, from + size)));
      lines.push(...splitter.end());
      const expected = whole
        .toString()
        .split('\n')
        .map((line) => line.replace(/\r$/, ''));
      if (expected.at(-1) === '') expected.pop();
      expect(lines.map(({ text }) => text)).toEqual(expected);
    }),
  );
});
