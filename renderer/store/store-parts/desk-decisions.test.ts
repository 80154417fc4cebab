import { expect, test } from 'vitest';
import { decisionsFor } from './desk-decisions.ts';

const at = '2026-01-01T00:00:00.000Z';

// Guarantee: a refunded delivery is never offered for another refund, nor to be sent again.
test.each([
  [{ deskReason: 'unknown', refundedAt: null }, ['delivered', 'send-again', 'refund']],
  [{ deskReason: 'rolled-back', refundedAt: null }, ['delivered', 'send-again', 'refund']],
  [{ deskReason: 'late-result', refundedAt: null }, ['delivered', 'send-again', 'refund']],
  [{ deskReason: 'late-result', refundedAt: at }, ['delivered', 'charge-again']],
  [{ deskReason: 'contradiction', refundedAt: at }, ['delivered']],
  [{ deskReason: null, refundedAt: null }, []],
] as const)('%o', (delivery, decisions) => expect(decisionsFor(delivery)).toEqual(decisions));
