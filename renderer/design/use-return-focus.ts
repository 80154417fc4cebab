import { useEffect, useState } from 'react';

const modal = '[aria-modal=true]';

let lastFocused: EventTarget | null = null;
globalThis.document?.addEventListener('focusin', ({ target }) => {
  lastFocused = target;
});

/** A browser takes the focus from a button that is disabled while it acts, and gives it to nobody. */
const whereItIs = (): Element | null => {
  const { activeElement, body } = document;
  if (activeElement !== null && activeElement !== body) return activeElement;
  return lastFocused instanceof HTMLButtonElement && lastFocused.disabled ? lastFocused : activeElement;
};

/** What has the focus; of a menu that closes with its choice, what has opened it. */
const whereFocusWas = (): Element | null => {
  const here = whereItIs();
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
