import { useState } from 'react';
import { useCan } from '../access/access-state.ts';
import { useLive } from '../wire/live.ts';

/** How many deliveries wait for a decision; 0 for those who may not see them. */
export const useDeskCount = (): number => {
  const isAllowed = useCan()('orders.read');
  const [count, setCount] = useState(0);
  useLive(isAllowed ? { topic: 'deliveries' } : null, (message) => {
    if (message.type === 'deliveries') setCount(message.desk);
  });
  return isAllowed ? count : 0;
};
