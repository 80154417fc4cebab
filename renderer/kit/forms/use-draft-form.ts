import { useState } from 'react';
import { notifyDone } from '../design/notify.ts';
import { useVersionedForm, type Versioned, type VersionedForm } from './use-versioned-form.ts';

export interface DraftForm<Known, Draft> extends VersionedForm<Known, Known> {
  readonly draft: Draft;
  readonly isNew: boolean;
  readonly isComplete: boolean;
  /** Another person has removed the entity. */
  readonly isGone: boolean;
  edit(edited: Partial<Draft>): void;
}

/** A form that creates an entity, or changes one over the version that the typing began with. */
export const useDraftForm = <Known extends Versioned, Draft, Body>(options: {
  /** The entity when the typing began; null: a new one. */
  readonly begun: Known | null;
  /** Its current state in the API; undefined: there is none, or another person has removed it. */
  readonly newest: Known | undefined;
  readonly readNewest: () => Promise<unknown>;
  readonly draftOf: (known: Known | null) => Draft;
  /** Null: something is missing or out of bounds. */
  readonly bodyOf: (draft: Draft) => Body | null;
  readonly send: (body: Body, version: number) => Promise<Known>;
  readonly savedText: string;
  readonly onClose: () => void;
}): DraftForm<Known, Draft> => {
  const { begun, newest, readNewest, draftOf, bodyOf, send, savedText, onClose } = options;
  const [draft, setDraft] = useState(() => draftOf(begun));
  // `begun` may be a live row of a list.
  const [version] = useState(begun?.version ?? 0);
  const body = bodyOf(draft);
  const form = useVersionedForm<Known, Known>({
    version,
    newest,
    readNewest,
    async send(over) {
      if (body === null) return null;
      const saved = await send(body, over);
      notifyDone(savedText);
      onClose();
      return saved;
    },
    show: (theirs) => setDraft(draftOf(theirs)),
  });
  return {
    ...form,
    draft,
    isNew: begun === null,
    isComplete: body !== null,
    isGone: begun !== null && newest === undefined,
    edit(edited) {
      form.clear();
      setDraft({ ...draft, ...edited });
    },
  };
};
