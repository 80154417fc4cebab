import type { ReactNode } from 'react';
import { ConflictNotice } from '../design/conflict-notice.tsx';
import type { VersionedForm } from './use-versioned-form.ts';

export interface FormConflictProps<Known> {
  readonly form: VersionedForm<Known, unknown>;
  /** "Someone else has changed this server". */
  readonly title: string;
  /** The values that they saved. */
  readonly children: (theirs: Known) => ReactNode;
}

/** Another person's changes, until the person has chosen between them and the input. */
export const FormConflict = <Known,>({ form, title, children }: FormConflictProps<Known>) =>
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
