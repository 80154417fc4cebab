import { expect, test } from 'vitest';
import { createSignInThrottle, passwordLimits } from './sign-in-throttle.ts';

const minuteMs = 60_000;

const startThrottle = () => {
  let nowMs = 1_000_000;
  const throttle = createSignInThrottle(passwordLimits, () => nowMs);
  return {
    pass: (ms: number) => {
      nowMs += ms;
    },
    admit: (account: string, address: string, device: string | null = null) =>
      throttle.admit({ account, address, device }),
  };
};

/** Guesses evenly over a minute; returns how many were admitted. */
const guess = (
  { pass, admit }: ReturnType<typeof startThrottle>,
  count: number,
  who: (index: number) => [account: string, address: string],
): number => {
  let admitted = 0;
  for (let index = 0; index < count; index += 1) {
    if (admit(...who(index)).outcome === 'admitted') admitted += 1;
    pass(minuteMs / count);
  }
  return admitted;
};

// Guarantee: 10,000 guesses in a minute yield only a handful of tries, whether from one address or from as many as there are guesses.
test('one account', () => {
  const one = startThrottle();
  expect(guess(one, 10_000, () => ['owner', '192.0.2.1'])).toBeLessThanOrEqual(6);
  const many = startThrottle();
  expect(guess(many, 10_000, (index) => ['owner', `address ${index}`])).toBeLessThanOrEqual(10);
});

test('many accounts, tried from one address and from many', () => {
  const one = startThrottle();
  expect(guess(one, 10_000, (index) => [`account ${index}`, '192.0.2.1'])).toBeLessThanOrEqual(30);
  const many = startThrottle();
  expect(guess(many, 10_000, (index) => [`account ${index}`, `address ${index}`])).toBeLessThanOrEqual(70);
});

// Guarantee: while the whole world guesses, the true owner signs in from a device or an address that did so before.
test('the owner is not locked out', () => {
  const throttle = startThrottle();
  const first = throttle.admit('owner', 'home');
  if (first.outcome === 'admitted') first.succeed();
  guess(throttle, 10_000, (index) => ['owner', `address ${index}`]);
  throttle.admit('owner', 'one more address');
  expect(throttle.admit('owner', 'elsewhere').outcome).toBe('refused');
  expect(throttle.admit('owner', 'home').outcome).toBe('admitted');
  expect(throttle.admit('owner', 'elsewhere', 'a device').outcome).toBe('admitted');
});

// Guarantee: one guessing address keeps no one else out, not even a person new to the account.
test('one guesser, another address', () => {
  const throttle = startThrottle();
  guess(throttle, 10_000, () => ['owner', '192.0.2.1']);
  expect(throttle.admit('owner', '192.0.2.2').outcome).toBe('admitted');
});

// Guarantee: the refusal says when to try again, and the time holds; refused tries do not extend it.
test('the time to wait', () => {
  const throttle = startThrottle();
  for (let tries = 0; tries < passwordLimits.pair.capacity; tries += 1) throttle.admit('owner', 'home');
  const refused = throttle.admit('owner', 'home');
  if (refused.outcome !== 'refused') throw new Error('was not refused');
  for (let tries = 0; tries < 100; tries += 1) throttle.admit('owner', 'home');
  throttle.pass(refused.retryAfterMs);
  expect(throttle.admit('owner', 'home').outcome).toBe('admitted');
});

// Guarantee: signing in, however often, uses nothing up.
test('successes are free', () => {
  const throttle = startThrottle();
  for (let times = 0; times < 1000; times += 1) {
    const admission = throttle.admit('owner', 'home');
    if (admission.outcome === 'refused') throw new Error(`refused at ${times}`);
    admission.succeed();
  }
});
