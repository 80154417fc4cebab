import { useEffect, useState } from 'react';

const modal = '[aria-modal=true]';

let lastFocused: EventTarget | null = null;
globalThis.document?.addEventListener('focusin', ({ target }) => {
  lastFocused = target;
});

/** A browser takes the focus from a button that is disabled while it acts, and gives it to no element. */
const whereItIs = (): Element | null => {
  const { activeElement, body } = document;
  if (activeElement !== null && activeElement !== body) return activeElement;
  return lastFocused instanceof HTMLButtonElement && lastFocused.disabled ? lastFocused : activeElement;
};

/** The element with the focus; for a menu that closes on selection, the element that opened it. */
const whereFocusWas = (): Element | null => {
  const here = whereItIs();
  const menu = here?.closest('[role=menu][id]');
  return (menu && document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`)) ?? here;
};

/**
 * For a dialog that is mounted only while it is open: when it closes, the focus returns to where it was before, unless
 * something else has taken it.
 */
export const useReturnFocus = (): void => {
  // On the first render, before the dialog takes the focus.
  const [before] = useState(whereFocusWas);
  useEffect(
    () => () => {
      // After the rest of the dialog is gone.
      setTimeout(() => {
        const isNowhere = document.activeElement === null || document.activeElement === document.body;
        if (!isNowhere || !(before instanceof HTMLElement) || !before.isConnected) return;
        // Another dialog may follow, which is about to take the focus.
        const isCovered = document.querySelector(modal) !== null && before.closest(modal) === null;
        if (!isCovered) before.focus();
      });
    },
    [before],
  );
};
