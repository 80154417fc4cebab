import { useEffect, useState } from 'react';
import { callDesktop } from '../desktop/desktop-bridge.ts';

/** Whether the first run is still incomplete: the owner's account, its last step, has not been created. */
export const useIsOwnerLeft = (): boolean => {
  const [isLeft, setIsLeft] = useState(false);
  useEffect(() => {
    callDesktop('firstRun.isOwnerLeft', undefined).then(setIsLeft, () => undefined);
  }, []);
  return isLeft;
};
