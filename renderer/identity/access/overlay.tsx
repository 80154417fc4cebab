import { type ReactNode, useEffect, useRef } from 'react';
import { useReturnFocus } from '../../kit/design/use-return-focus.ts';
import classes from './overlay.module.css';

/** Covers the page and all of its dialogs, which keep their state; only the component that shows it can remove it. */
export const Overlay = (props: {
  /** Hides everything beneath it. */
  readonly isWhole?: boolean;
  readonly labelledBy?: string;
  /** The accessible name, where no heading gives one. */
  readonly label?: string;
  readonly children: ReactNode;
}) => {
  const { isWhole = false, labelledBy, label, children } = props;
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
      // The back button of a phone closes it without a cancel event.
      onClose={() => dialog.current?.showModal()}
    >
      {children}
    </dialog>
  );
};

// Registered before any dialog's own listener: Escape closes nothing beneath the overlay, and the overlay itself only
// if it has a button for that.
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
