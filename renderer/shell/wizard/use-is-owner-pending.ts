import { useEffect, useState } from 'react';
import { callDesktop } from '../../kit/api/desktop-bridge.ts';

/** Whether the first run is still incomplete: the owner's account, its last step, has not been created. */
export const useIsOwnerPending = (): boolean => {
  const [isPending, setIsPending] = useState(false);
  useEffect(() => {
    callDesktop('firstRun.isOwnerLeft', undefined).then(setIsPending, () => undefined);
  }, []);
  return isPending;
};
