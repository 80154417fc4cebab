import { useEffect, useState } from 'react';
import type { ComponentName, StackStatus } from '#contracts/operations/stack.ts';

const troubledIn = (status: StackStatus | null): ComponentName | undefined =>
  status?.components.find(({ state }) => state === 'crashed' || state === 'failed')?.name;

/** The first component that died, even while it is being restarted; undefined: none has since the page was opened. */
export const useTroubledPart = (status: StackStatus | null): ComponentName | undefined => {
  const troubled = troubledIn(status);
  const [last, setLast] = useState(troubled);
  useEffect(() => {
    if (troubled) setLast(troubled);
  }, [troubled]);
  return troubled ?? last;
};
