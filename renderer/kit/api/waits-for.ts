import { createContext, useContext, useLayoutEffect } from 'react';

/**
 * From the surrounding sections: called when something is read for the first time; the returned function is called when
 * the data has arrived.
 */
export const WaitsFor = createContext<(() => () => void) | null>(null);

/** While it is true, sections that wait for each other are not shown yet. */
export const useWaitsFor = (isOnItsWay: boolean): void => {
  const enter = useContext(WaitsFor);
  useLayoutEffect(() => (isOnItsWay ? enter?.() : undefined), [enter, isOnItsWay]);
};
