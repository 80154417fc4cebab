import { useCallback, useEffect, useState } from 'react';
import { setupHttp } from '#contracts/operations/setup.ts';
import { callDesktop, desktopBridge } from '../../kit/api/desktop-bridge.ts';
import { useRead } from '../../kit/api/queries.ts';

/** Whether the desktop has nothing to start yet; null until it has answered. */
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

interface MissingOwner {
  readonly isMissing: boolean;
  /** The owner was created, or is left for later. */
  readonly settle: () => void;
}

/** Whether the first run still has to create the owner's account. An API that does not answer is asked again. */
export const useMissingOwner = (isInside: boolean): MissingOwner => {
  const [isNoted, setIsNoted] = useState(false);
  const setup = useRead(setupHttp.state, {}, { enabled: isInside && isNoted });
  const isMade = isNoted && setup.data?.needed === false;
  const settle = useCallback(() => {
    setIsNoted(false);
    void callDesktop('firstRun.leaveOwner', undefined);
  }, []);
  useEffect(() => {
    if (!isInside || !desktopBridge()) return;
    // Whatever the error: the account can also be created under Admins.
    callDesktop('firstRun.isOwnerLeft', undefined).then(setIsNoted, () => undefined);
  }, [isInside]);
  useEffect(() => {
    if (isMade) settle();
  }, [isMade, settle]);
  return { isMissing: isInside && isNoted && setup.data?.needed === true, settle };
};
