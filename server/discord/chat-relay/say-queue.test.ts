import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '#runtime/log.ts';
import { createSayQueue, type GivenLine } from './say-queue.ts';

/** Games that reply when the test lets them. */
const openQueue = () => {
  const sent: string[] = [];
  const done: [text: string, wasSaid: boolean][] = [];
  const hanging = new Map<string, (isAnswered: boolean) => void>();
  const hangs = new Set<string>();
  const clock = { nowMs: 0 };
  const license = { holds: true };
  const queue = createSayQueue({
    say(serverId, text) {
      sent.push(text);
      if (!hangs.has(serverId)) return Promise.resolve(true);
      return new Promise((resolve) => hanging.set(serverId, resolve));
    },
    mayAct: () => license.holds,
    onDone({ text }, wasSaid) {
      done.push([text, wasSaid]);
      return Promise.resolve();
    },
    now: () => clock.nowMs,
    log: createLog({ component: 'api', level: 'silent' }),
  });
  const line = (serverId: string, text: string): GivenLine => ({ serverId, channelId: 'c', text });
  return { queue, sent, done, hanging, hangs, clock, license, line };
};

// Guarantee: lines are said in their order, one at a time, and a game that hangs delays no other one.
test('order, and a game that hangs', async () => {
  const { queue, sent, done, hanging, hangs, clock, line } = openQueue();
  hangs.add('a');
  queue.add(line('a', 'a1'));
  queue.add(line('a', 'a2'));
  for (const text of ['b1', 'b2', 'b3']) queue.add(line('b', text));
  await eventually(() => expect(done.map(([text]) => text)).toEqual(['b1', 'b2', 'b3']));
  expect(sent).not.toContain('a2');
  // The outcome of the first line is unknown: it is not said again. The second has become too old in the meantime.
  clock.nowMs = 61_000;
  hanging.get('a')?.(false);
  await eventually(() =>
    expect(done.slice(3)).toEqual([
      ['a1', false],
      ['a2', false],
    ]),
  );
  expect(sent.filter((text) => text.startsWith('a'))).toEqual(['a1']);
  hangs.clear();
  queue.add(line('a', 'a3'));
  await eventually(() => expect(done.at(-1)).toEqual(['a3', true]));
  await queue[Symbol.asyncDispose]();
});

// Guarantee: what waits for one game is bounded, and each line that is left out is reported once.
test('too many', async () => {
  const { queue, done, hanging, hangs, line } = openQueue();
  hangs.add('a');
  for (let number = 0; number < 10_000; number += 1) queue.add(line('a', String(number)));
  await eventually(() => expect(hanging.size).toBe(1));
  expect(done.every(([, wasSaid]) => !wasSaid)).toBe(true);
  expect(done.length).toBe(10_000 - 50);
  hangs.clear();
  hanging.get('a')?.(true);
  await eventually(() => expect(done.filter(([, wasSaid]) => wasSaid)).toHaveLength(50));
  await queue[Symbol.asyncDispose]();
});

// Guarantee: nothing is said without a license, or once the queue ends.
test('without a license', async () => {
  const { queue, sent, done, license, line } = openQueue();
  license.holds = false;
  queue.add(line('a', 'a1'));
  await eventually(() => expect(done).toEqual([['a1', false]]));
  await queue[Symbol.asyncDispose]();
  license.holds = true;
  queue.add(line('a', 'a2'));
  expect(done.at(-1)).toEqual(['a2', false]);
  expect(sent).toEqual([]);
});
