import { useState } from 'react';

export interface DesktopAction {
  readonly isActing: boolean;
  /** What went wrong with the last one, in the desktop's words; null when nothing did. */
  readonly error: unknown;
  /** Runs one thing at a time. */
  readonly run: (work: () => Promise<unknown>) => Promise<void>;
}

/** Something that the desktop is asked to do, and how it stands. */
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
