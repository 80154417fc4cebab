import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Where the focus goes when what has it is taken away, as at the end of an act. */
export const focusHeir = 'saves-status';

/** For a part of the page that comes and goes by itself. */
export const useFocusHeir = <Part extends HTMLElement>(): RefObject<Part | null> => {
  const part = useRef<Part>(null);
  useLayoutEffect(() => {
    const { current } = part;
    return () => {
      if (!current?.contains(document.activeElement)) return;
      setTimeout(() => document.getElementById(focusHeir)?.focus());
    };
  }, []);
  return part;
};
