import { expect, test } from 'vitest';
import { createPendingQueue } from './pending-queue.ts';

// Guarantee: what arrives before there is a handler is handled once and in order, and so is what arrives later.
test('early items wait for their handler', () => {
  const handled: string[] = [];
  const queue = createPendingQueue<string>();
  queue.push('open');
  queue.push('quit');
  expect(handled).toEqual([]);
  queue.serve((item) => handled.push(item));
  expect(handled).toEqual(['open', 'quit']);
  queue.push('logs');
  expect(handled).toEqual(['open', 'quit', 'logs']);
});
