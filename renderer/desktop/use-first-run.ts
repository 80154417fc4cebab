import { useCallback, useEffect, useState } from 'react';
import { setupHttp } from '#contracts/setup.ts';
import { useRead } from '../wire/queries.ts';
import { callDesktop, desktopBridge } from './desktop-bridge.ts';

/** Whether the desktop has nothing yet that it could start; null until it has said so. */
export const useIsFirstRun = (): boolean | null => {
  const [isFirst, setIsFirst] = useState<boolean | null>(desktopBridge() ? null : false);
  useEffect(() => {
    if (!desktopBridge()) return;
    callDesktop('firstRun.state', undefined).then(
      (state) => setIsFirst(state !== null),
      () => setIsFirst(false),
    );
  }, []);
  return isFirst;
};

export interface OwnerLeft {
  readonly isLeft: boolean;
  /** It was made, or is left for later. */
  readonly settle: () => void;
}

/** Whether the first run still has the account of the owner to make. An API that does not answer is asked again. */
export const useOwnerLeft = (isInside: boolean): OwnerLeft => {
  const [isNoted, setIsNoted] = useState(false);
  const setup = useRead(setupHttp.state, {}, { enabled: isInside && isNoted });
  const isMade = isNoted && setup.data?.needed === false;
  const settle = useCallback(() => {
    setIsNoted(false);
    void callDesktop('firstRun.leaveOwner', undefined);
  }, []);
  useEffect(() => {
    if (!isInside || !desktopBridge()) return;
    // Whatever stands in the way: the account can be made under Admins, too.
    callDesktop('firstRun.isOwnerLeft', undefined).then(setIsNoted, () => undefined);
  }, [isInside]);
  useEffect(() => {
    if (isMade) settle();
  }, [isMade, settle]);
  return { isLeft: isInside && isNoted && setup.data?.needed === true, settle };
};
