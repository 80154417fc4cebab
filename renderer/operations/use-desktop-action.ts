import { useState } from 'react';

export interface DesktopAction {
  readonly isActing: boolean;
  /** Why the last one failed, in the desktop's words; null if it did not. */
  readonly error: unknown;
  /** Runs one action at a time. */
  readonly run: (work: () => Promise<unknown>) => Promise<void>;
}

/** A request to the desktop, and its state. */
export const useDesktopAction = (): DesktopAction => {
  const [isActing, setIsActing] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (work: () => Promise<unknown>) => {
    if (isActing) return;
    setIsActing(true);
    setError(null);
    try {
      await work();
    } catch (failure) {
      setError(failure);
    } finally {
      setIsActing(false);
    }
  };
  return { isActing, error, run };
};
