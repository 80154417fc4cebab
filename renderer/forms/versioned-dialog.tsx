import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormDialog, type FormDialogProps } from '../design/form-dialog.tsx';
import { FormConflict, type FormConflictProps } from './form-conflict.tsx';

export interface VersionedDialogProps<Known>
  extends Pick<FormDialogProps, 'title' | 'size' | 'isReady' | 'note' | 'onClose'> {
  readonly form: FormConflictProps<Known>['form'];
  readonly act: string;
  /** Says that another person has removed the entity: what was typed can still be read. */
  readonly gone?: string | false;
  readonly conflictTitle: string;
  /** The values that another person saved. */
  readonly theirs: (theirs: Known) => ReactNode;
  readonly children: ReactNode;
}

/** The dialog of a form for something with versions. */
export const VersionedDialog = <Known,>(props: VersionedDialogProps<Known>) => {
  const { form, gone = false, conflictTitle, theirs, isReady = true, children, ...dialog } = props;
  return (
    <FormDialog
      {...dialog}
      isActing={form.isSaving}
      isReady={isReady && form.theirs === null && gone === false}
      error={form.error}
      onSubmit={() => void form.save()}
    >
      {children}
      {gone !== false && <Alert color="var(--tone-warn)" variant="outline" role="alert" title={gone} />}
      <FormConflict form={form} title={conflictTitle}>
        {theirs}
      </FormConflict>
    </FormDialog>
  );
};
