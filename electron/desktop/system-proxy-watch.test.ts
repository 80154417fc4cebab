import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { explainOutside } from '#runtime/outside/outside-failure.ts';
import { storedSystemProxy, storeSystemProxy } from '#runtime/outside/system-proxy.ts';
import { setFoundProxy } from '#runtime/system-env.ts';
import { type Intervals, watchSystemProxy } from './system-proxy-watch.ts';

const never = 3_600_000;
const atOffice = { proxy: 'office:8080', noProxy: '', unread: null };
const atHome = { proxy: '', noProxy: '', unread: null };

/** A computer whose system answers as the network that it is in. */
const openComputer = async (intervals: Partial<Intervals>) => {
  const folder = await temporaryFolder('proxy-watch');
  const computer = {
    network: 'office',
    answer: 'PROXY office:8080',
    asked: 0,
    failures: 0,
    changes: 0,
    home: folder.path,
    /** What answers wait for. */
    hold: null as PromiseWithResolvers<void> | null,
  };
  const watch = watchSystemProxy({
    home: folder.path,
    async resolve() {
      computer.asked += 1;
      if (computer.failures > 0) {
        computer.failures -= 1;
        throw new Error('it does not answer');
      }
      await computer.hold?.promise;
      return computer.answer;
    },
    urls: async () => [new URL('https://portal.example/')],
    async onChange() {
      computer.changes += 1;
    },
    log: createLog({ component: 'test', level: 'silent' }),
    network: async () => computer.network,
    intervals: { networkMs: 5, failureMs: never, lookMs: never, ...intervals },
  });
  onTestFinished(async () => {
    watch[Symbol.dispose]();
    setFoundProxy(atHome);
    await folder[Symbol.asyncDispose]();
  });
  return { computer, look: watch.look };
};

// Guarantee: a laptop that comes into another network without having slept gets that network's proxy, without anyone asking; what runs
// is told once, and the programs that cannot ask find it in the data folder.
test('another network', async () => {
  const { computer, look } = await openComputer({});
  expect(await look()).toEqual(atOffice);
  expect(computer.changes).toBe(1);
  Object.assign(computer, { network: 'home', answer: 'DIRECT' });
  await eventually(() => expect(computer.changes).toBe(2));
  expect(await storedSystemProxy(computer.home)).toEqual(atHome);
  Object.assign(computer, { network: 'office', answer: 'PROXY office:8080' });
  await eventually(() => expect(computer.changes).toBe(3));
  expect(await storedSystemProxy(computer.home)).toEqual(atOffice);
});

// Guarantee: on the same network, a request that did not get out and the passing of time lead to a new look; nothing changes for those
// that use the proxy as long as the answer is the same.
test.each([
  ['a failure', { failureMs: 0 }],
  ['time', { lookMs: 10 }],
])('the same network after %s', async (what, intervals) => {
  const { computer, look } = await openComputer(intervals);
  await look();
  const before = computer.asked;
  if (what === 'a failure') await explainOutside(new Error('x'), new URL('https://127.0.0.1:1/'));
  await eventually(() => expect(computer.asked).toBeGreaterThan(before));
  expect(computer.changes).toBe(1);
  computer.answer = 'PROXY other:8080';
  if (what === 'a failure') await explainOutside(new Error('x'), new URL('https://127.0.0.1:1/'));
  await eventually(() => expect(computer.changes).toBe(2));
});

// Guarantee: without a network, the system is not asked and nothing restarts: what was found, also by an earlier start, stays.
test('no network', async () => {
  const { computer, look } = await openComputer({ failureMs: 0, lookMs: 0 });
  computer.network = '';
  await storeSystemProxy(computer.home, atOffice);
  expect(await look()).toEqual(atOffice);
  expect([computer.asked, computer.changes]).toEqual([0, 0]);
  computer.network = 'office';
  await eventually(() => expect(computer.asked).toBeGreaterThan(0));
  expect(computer.changes).toBe(0);
});

// Guarantee: a script that spreads its load over proxies restarts nothing, as long as it still names the one in use.
test('a script that balances load', async () => {
  const { computer, look } = await openComputer({});
  computer.answer = 'PROXY one:8080; PROXY two:8080';
  await look();
  computer.answer = 'PROXY two:8080; PROXY one:8080; DIRECT';
  expect(await look()).toMatchObject({ proxy: 'one:8080' });
  expect(computer.changes).toBe(1);
  computer.answer = 'PROXY two:8080';
  expect(await look()).toMatchObject({ proxy: 'two:8080' });
  expect(computer.changes).toBe(2);
});

// Guarantee: a look that failed is repeated soon, and not only when the answer of a look would be old.
test('a look that fails', async () => {
  const { computer, look } = await openComputer({});
  computer.failures = 2;
  await expect(look()).rejects.toThrow('it does not answer');
  await eventually(() => expect(computer.changes).toBe(1));
  expect(await storedSystemProxy(computer.home)).toEqual(atOffice);
});

// Guarantee: an answer that came while the computer left its network counts for none.
test('a network that goes while it is asked for', async () => {
  const { computer, look } = await openComputer({});
  await look();
  const before = computer.asked;
  computer.hold = Promise.withResolvers<void>();
  const looking = look();
  await eventually(() => expect(computer.asked).toBeGreaterThan(before));
  Object.assign(computer, { network: '', answer: 'DIRECT' });
  computer.hold.resolve();
  expect(await looking).toEqual(atOffice);
  expect(computer.changes).toBe(1);
});

// Guarantee: looks at the same time are one, since each would restart what uses the proxy.
test('two looks', async () => {
  const { computer, look } = await openComputer({});
  expect(await Promise.all([look(), look()])).toEqual([atOffice, atOffice]);
  expect([computer.asked, computer.changes]).toEqual([1, 1]);
});
