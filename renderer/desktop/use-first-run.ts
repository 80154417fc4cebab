import { useEffect, useState } from 'react';
import { setupHttp } from '#contracts/setup.ts';
import { call } from '../wire/call.ts';
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

/** Whether the first run still has the account of the owner to make. */
export const useOwnerLeft = (isInside: boolean): OwnerLeft => {
  const [isLeft, setIsLeft] = useState(false);
  useEffect(() => {
    if (!isInside || !desktopBridge()) return;
    const look = async () => {
      if (!(await callDesktop('firstRun.isOwnerLeft', undefined))) return;
      const { needed } = await call(setupHttp.state, {});
      if (needed) setIsLeft(true);
      else await callDesktop('firstRun.leaveOwner', undefined);
    };
    // Whatever stands in the way: the account can be made under Admins, too.
    look().catch(() => undefined);
  }, [isInside]);
  const settle = () => {
    setIsLeft(false);
    void callDesktop('firstRun.leaveOwner', undefined);
  };
  return { isLeft, settle };
};
