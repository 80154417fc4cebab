import { expect, test } from 'vitest';
import { createLister, type WayToList } from './listing.ts';
import { SystemProgramError } from './system-program.ts';

const ways: readonly [WayToList, ...WayToList[]] = [
  ['wbem\\wmic.exe', ['process']],
  ['powershell.exe', ['-Command', 'x']],
  ['wbem\\wmic.exe', ['other']],
];
const failed = (failure: object) => new SystemProgramError('wmic', failure, failure);

/** A Windows with a clock of its own, on which each question takes this long and then ends like this. */
const slowWindows = (takesMs: number, answer: (program: string) => string) => {
  const windows = { nowMs: 0, asked: 0, timeouts: [] as number[] };
  const lister = createLister(() => windows.nowMs);
  const look = () =>
    lister.list(
      ways,
      (printed) => printed,
      async (program, _args, timeoutMs = 0) => {
        windows.asked += 1;
        windows.timeouts.push(timeoutMs);
        windows.nowMs += Math.min(takesMs, timeoutMs);
        if (takesMs > timeoutMs) throw failed({ killed: true, code: null });
        return answer(program);
      },
    );
  return { windows, lister, look };
};

// Guarantee: where WMI does not answer, a look ends at one deadline, whatever ways there are, and the next ones end at once, for longer
// and longer (sebhildebrandt/systeminformation#521, orca-app/orca#152: 45 s a look, and WMI kept busy for all).
test('a silent WMI', async () => {
  const { windows, lister, look } = slowWindows(Number.POSITIVE_INFINITY, () => '');
  await expect(look()).rejects.toThrow('WMI does not answer');
  expect([windows.nowMs, windows.asked]).toEqual([15_000, 1]);
  for (let again = 0; again < 5; again += 1) await expect(look()).rejects.toThrow('services.msc');
  expect([windows.nowMs, windows.asked]).toEqual([15_000, 1]);
  expect(lister.silence()).toContain('WMI');
  windows.nowMs += 30_000;
  await expect(look()).rejects.toThrow('WMI');
  expect(windows.asked).toBe(2);
  windows.nowMs += 31_000;
  await expect(look()).rejects.toThrow('WMI');
  expect(windows.asked).toBe(2);
});

// Guarantee: all ways share the deadline, so that slow failures do not add up.
test('slow failures', async () => {
  const { windows, look } = slowWindows(6000, () => {
    throw failed({ code: 1 });
  });
  await expect(look()).rejects.toThrow();
  expect(windows.timeouts).toEqual([15_000, 9000, 3000]);
  expect(windows.nowMs).toBe(15_000);
});

// Guarantee: a way that is not there, or fails, is followed by the next one; an answer ends every rest.
test('another way', async () => {
  const { windows, lister, look } = slowWindows(100, (program) => {
    if (program.includes('wmic')) throw failed({ code: 'ENOENT' });
    return 'listed';
  });
  expect(await look()).toBe('listed');
  expect([windows.asked, lister.silence()]).toEqual([2, null]);
});

// Guarantee: several looks that meet the same silence at the same time, as for each game server of an agent, count once, and one that
// is answered in the meantime ends the rest.
test('looks at the same time', async () => {
  let nowMs = 0;
  const lister = createLister(() => nowMs);
  const answers: PromiseWithResolvers<string>[] = [];
  const look = () =>
    lister.list(
      ways,
      (printed) => printed,
      () => {
        const answer = Promise.withResolvers<string>();
        answers.push(answer);
        return answer.promise;
      },
    );
  const looks = Array.from({ length: 8 }, look);
  nowMs += 15_000;
  for (const { reject } of answers.slice(0, 7)) reject(failed({ killed: true, code: null }));
  for (const each of looks.slice(0, 7)) await expect(each).rejects.toThrow('WMI');
  expect(lister.silence()).not.toBeNull();
  answers[7]?.resolve('listed');
  expect(await looks[7]).toBe('listed');
  expect(lister.silence()).toBeNull();

  const again = [look(), look()];
  for (const { reject } of answers.slice(8)) reject(failed({ killed: true, code: null }));
  for (const each of again) await expect(each).rejects.toThrow('WMI');
  nowMs += 30_000;
  expect(lister.silence()).toBeNull();
});
