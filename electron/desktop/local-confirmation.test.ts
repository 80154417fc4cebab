import { expect, test } from 'vitest';
import { createLocalConfirmation } from './local-confirmation.ts';

const start = () => {
  let nowMs = 0;
  const asked: PromiseWithResolvers<boolean>[] = [];
  const { holds, forget, calls } = createLocalConfirmation({
    ask: () => {
      const answer = Promise.withResolvers<boolean>();
      asked.push(answer);
      return answer.promise;
    },
    now: () => nowMs,
  });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return {
    holds,
    forget,
    pass,
    asked,
    confirm: async () => (await calls['stepUp.confirm'](undefined)).confirmed,
  };
};

// Guarantee: only a yes in the dialog confirms, for ten minutes, and not beyond a sleep; several questions are one dialog.
test('a confirmation', async () => {
  const { holds, forget, pass, asked, confirm } = start();
  expect(holds()).toBe(false);
  const refused = confirm();
  asked[0]?.resolve(false);
  expect(await refused).toBe(false);
  expect(holds()).toBe(false);

  const both = [confirm(), confirm()];
  expect(asked).toHaveLength(2);
  expect(holds()).toBe(false);
  asked[1]?.resolve(true);
  expect(await Promise.all(both)).toEqual([true, true]);
  pass(599_999);
  expect(holds()).toBe(true);
  pass(1);
  expect(holds()).toBe(false);

  const again = confirm();
  asked[2]?.resolve(true);
  await again;
  expect(holds()).toBe(true);
  forget();
  expect(holds()).toBe(false);
});
