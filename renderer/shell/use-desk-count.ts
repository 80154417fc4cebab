import { useState } from 'react';
import { useCan } from '../access/access-state.ts';
import { useLive } from '../wire/live.ts';

/** How many deliveries wait for a decision; null: not known yet, or not visible to the reader. */
export const useDeskCount = (): number | null => {
  const isAllowed = useCan()('orders.read');
  const [count, setCount] = useState<number | null>(null);
  useLive(isAllowed ? { topic: 'deliveries' } : null, (message) => {
    if (message.type === 'deliveries') setCount(message.desk);
  });
  return isAllowed ? count : null;
};
