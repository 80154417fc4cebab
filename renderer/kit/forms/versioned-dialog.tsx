import { Alert } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { ConflictNotice } from '../design/conflict-notice.tsx';
import { FormDialog } from '../design/form-dialog.tsx';
import type { VersionedForm } from './use-versioned-form.ts';

/** Shows another person's changes until the reader keeps theirs or takes the other's. */
export const FormConflict = <Known,>({
  form,
  title,
  children,
}: {
  readonly form: VersionedForm<Known, unknown>;
  /** "Someone else has changed this server". */
  readonly title: string;
  /** The values that they saved. */
  readonly children: (theirs: Known) => ReactNode;
}) =>
  form.theirs && (
    <ConflictNotice
      title={title}
      isSaving={form.isSaving}
      onTakeTheirs={form.takeTheirs}
      onKeepMine={form.keepMine}
    >
      {children(form.theirs)}
    </ConflictNotice>
  );

export interface VersionedDialogProps<Known>
  extends Pick<ComponentProps<typeof FormDialog>, 'title' | 'size' | 'isReady' | 'note' | 'onClose'> {
  readonly form: VersionedForm<Known, unknown>;
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
