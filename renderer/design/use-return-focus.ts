import { useEffect, useState } from 'react';

const modal = '[aria-modal=true]';

/** What has the focus; of a menu that closes with its choice, what has opened it. */
const whereFocusWas = (): Element | null => {
  const here = document.activeElement;
  const menu = here?.closest('[role=menu][id]');
  return (menu && document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`)) ?? here;
};

/**
 * For a dialog that is there only while it is open: when it goes, the focus goes back to where it was before, unless
 * somebody has taken it meanwhile.
 */
export const useReturnFocus = (): void => {
  // At the first drawing, before the dialog takes the focus.
  const [before] = useState(whereFocusWas);
  useEffect(
    () => () => {
      // What is left of the dialog goes first.
      setTimeout(() => {
        const isNowhere = document.activeElement === null || document.activeElement === document.body;
        if (!isNowhere || !(before instanceof HTMLElement) || !before.isConnected) return;
        // One dialog may be followed by another, which is about to take the focus.
        const isCovered = document.querySelector(modal) !== null && before.closest(modal) === null;
        if (!isCovered) before.focus();
      });
    },
    [before],
  );
};
