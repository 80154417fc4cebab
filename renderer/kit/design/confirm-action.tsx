import { type ReactNode, useEffect, useRef, useState } from 'react';
import { FormDialog } from './form-dialog.tsx';
import { notifyDone, notifyTrouble } from './notify.ts';

/** Asks for confirmation of a harmful action, and says what will happen. */
export const ConfirmAction = (props: {
  /** "Archive Fjordland?" */
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode;
  /** "Archive". */
  readonly act: string;
  readonly isDestructive?: boolean;
  /** Resolves when it is done; if it fails, the dialog stays and says why. */
  readonly onAction: () => Promise<unknown>;
  /** "Archived Fjordland". */
  readonly doneText?: string;
  readonly onClose: () => void;
}) => {
  const { title, children, act, isDestructive = true, onAction, doneText, onClose } = props;
  const [isActing, setIsActing] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isThere = useRef(true);
  useEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  const run = async () => {
    setIsActing(true);
    setError(null);
    try {
      await onAction();
      if (doneText !== undefined) notifyDone(doneText);
      if (isThere.current) onClose();
    } catch (failure) {
      // If the dialog was closed in the meantime, it can no longer say so.
      if (isThere.current) setError(failure);
      else notifyTrouble(failure);
    } finally {
      setIsActing(false);
    }
  };
  return (
    <FormDialog
      title={title}
      act={act}
      isActing={isActing}
      isDestructive={isDestructive}
      error={error}
      onSubmit={() => void run()}
      onClose={onClose}
      beginsAtLeave
      closeOnClickOutside
    >
      <div>{children}</div>
    </FormDialog>
  );
};
