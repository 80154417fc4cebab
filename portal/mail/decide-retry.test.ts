import { expect, test } from 'vitest';
import { decideRetry, maxAttempts } from './decide-retry.ts';

// Guarantee: a mail is retried for about three days, soon at first, and then given up.
test('retries span three days', () => {
  const fault = { permanent: false, fault: '451 at RCPT TO' };
  let passedMs = 0;
  for (let attempts = 1; ; attempts += 1) {
    const decision = decideRetry(attempts, fault);
    if ('giveUp' in decision) {
      expect(attempts).toBe(maxAttempts);
      expect(decision.giveUp).toBe('451 at RCPT TO');
      break;
    }
    if (attempts === 1) expect(decision.retryInMs).toBeLessThanOrEqual(15_000);
    passedMs += decision.retryInMs;
  }
  expect(passedMs / 3_600_000).toBeGreaterThan(70);
  expect(passedMs / 3_600_000).toBeLessThan(80);
});

test('a refused address is given up at once', () => {
  expect(decideRetry(1, { permanent: true, fault: '550' })).toEqual({ giveUp: '550' });
});
