import { expect, test } from 'vitest';
import { newHeld, takeOutcome } from './held-message.ts';

const order = {
  id: 'one',
  channelId: '333333333333333331',
  messageId: null,
  post: null,
  shown: null,
  board: null,
};

// Guarantee: a deleted message is posted again immediately, and at growing intervals if each one is deleted.
test('deleted again and again', () => {
  const held = newHeld(order, 'en');
  const waits = Array.from({ length: 12 }, () => {
    takeOutcome(held, {
      outcome: 'posted',
      post: 'p',
      channelId: order.channelId,
      messageId: 'm',
      shown: null,
    });
    takeOutcome(held, { outcome: 'gone', messageId: 'm', post: null });
    return Math.max(0, Math.round((held.notBeforeMs - performance.now()) / 1000));
  });
  expect(waits.slice(0, 4)).toEqual([0, 30, 60, 120]);
  expect(waits.at(-1)).toBe(3600);
});
