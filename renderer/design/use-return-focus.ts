import { useEffect, useState } from 'react';

/**
 * For a dialog that is there only while it is open: when it goes, the focus goes back to where it was before, unless
 * somebody has taken it meanwhile.
 */
export const useReturnFocus = (): void => {
  // At the first drawing, before the dialog takes the focus.
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // What is left of the dialog goes first.
      setTimeout(() => {
        const isNowhere = document.activeElement === null || document.activeElement === document.body;
        if (isNowhere && before instanceof HTMLElement && before.isConnected) before.focus();
      });
    },
    [before],
  );
};
