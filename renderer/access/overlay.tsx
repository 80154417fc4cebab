import { type ReactNode, useEffect, useRef } from 'react';
import { useReturnFocus } from '../design/use-return-focus.ts';
import classes from './overlay.module.css';

export interface OverlayProps {
  /** Whether nothing of what lies beneath is seen. */
  readonly isWhole?: boolean;
  readonly labelledBy?: string;
  /** Its name, where it points to no heading. */
  readonly label?: string;
  readonly children: ReactNode;
}

/**
 * Lies over the page and all of its dialogs, which stay as they are; only whoever shows it takes it away.
 */
export const Overlay = ({ isWhole = false, labelledBy, label, children }: OverlayProps) => {
  useReturnFocus();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classes.overlay}
      data-overlay
      data-whole={isWhole || undefined}
      aria-labelledby={labelledBy}
      aria-label={label}
      onCancel={(event) => event.preventDefault()}
      // A phone's way back closes it unasked.
      onClose={() => dialog.current?.showModal()}
    >
      {children}
    </dialog>
  );
};

// Registered before any dialog's own listener: Escape closes nothing that lies beneath the overlay, and the overlay itself only
// where it has a button for that.
addEventListener(
  'keydown',
  (event) => {
    const uppermost = [...document.querySelectorAll('dialog[data-overlay]')].at(-1);
    if (event.key !== 'Escape' || !uppermost) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    uppermost.querySelector<HTMLElement>('[data-leaves-overlay]')?.click();
  },
  { capture: true },
);
