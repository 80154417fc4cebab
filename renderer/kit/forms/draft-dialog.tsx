import type { ReactNode } from 'react';
import type { DraftForm } from './use-draft-form.ts';
import { VersionedDialog, type VersionedDialogProps } from './versioned-dialog.tsx';

interface DraftDialogProps<Known>
  extends Pick<VersionedDialogProps<Known>, 'size' | 'isReady' | 'note' | 'theirs' | 'onClose'> {
  readonly form: DraftForm<Known, unknown>;
  readonly words: {
    readonly newTitle: string;
    readonly editTitle: string;
    readonly create: string;
    readonly save: string;
    /** Another person has changed the entity. */
    readonly theirs: string;
    /** Another person has removed it. */
    readonly gone?: string;
  };
  readonly children: ReactNode;
}

/** The dialog of a form that creates an entity or changes one. */
export const DraftDialog = <Known,>(props: DraftDialogProps<Known>) => {
  const { form, words, isReady = true, ...dialog } = props;
  return (
    <VersionedDialog
      {...dialog}
      form={form}
      title={form.isNew ? words.newTitle : words.editTitle}
      act={form.isNew ? words.create : words.save}
      isReady={isReady && form.isComplete}
      gone={form.isGone && (words.gone ?? false)}
      conflictTitle={words.theirs}
    />
  );
};
