import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Takes the focus when the element that has it is removed, as at the end of an act. */
export const focusHeir = 'saves-status';

/** For a section of the page that appears and disappears by itself. */
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
