import { useRef, useState } from 'react';
import { isConflict } from '../api/api-problem.ts';
import { NotSaved } from '../api/send-change.ts';

export interface Versioned {
  readonly version: number;
}

export interface VersionedForm<Known, Saved> {
  readonly isSaving: boolean;
  /** Why the last save failed; null also while `theirs` shows it. */
  readonly error: unknown;
  /** Another person's changes; null until a save was refused because of them and they have been read. */
  readonly theirs: Known | null;
  /** @returns the saved state; null if it was not saved */
  save(): Promise<Saved | null>;
  /** Saves the input over `theirs`. */
  keepMine(): Promise<Saved | null>;
  /** Shows `theirs` in place of the input, and continues from it. */
  takeTheirs(): void;
  /** Something was typed: the reason why the last save failed no longer applies. A pending choice stays. */
  clear(): void;
}

/**
 * A form for something with versions. The input stays until it is saved: if someone else was first, both are shown next
 * to each other until the person has chosen.
 */
export const useVersionedForm = <Known extends Versioned, Saved>(options: {
  /** The version when the typing began; 0 for a new one. */
  readonly version: number;
  /** The current state in the API. */
  readonly newest: Known | undefined;
  /**
   * Sends the input, over `version`.
   * @param theirs the state that the person overwrites after having seen it; null: the one that the typing began with
   * @returns null if it was not sent
   */
  readonly send: (version: number, theirs: Known | null) => Promise<Saved | null>;
  /** Reads `newest` again, after a save was refused because someone else was first. */
  readonly readNewest?: () => Promise<unknown>;
  /** Shows another person's state in place of the input, which the person gives up for it. */
  readonly show?: (theirs: Known) => void;
}): VersionedForm<Known, Saved> => {
  const { newest, send, readNewest, show } = options;
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setIsSaving] = useState(false);
  /** The version that the person chose to overwrite, or to take. */
  const [settled, setSettled] = useState(0);
  const isUnderWay = useRef(false);
  const version = Math.max(options.version, settled);
  const theirs = isConflict(error) && newest && newest.version > version ? newest : null;

  const sendOver = async (over: number, seen: Known | null): Promise<Saved | null> => {
    if (isUnderWay.current) return null;
    isUnderWay.current = true;
    setIsSaving(true);
    // A choice stays visible until it is saved.
    if (!theirs) setError(null);
    try {
      const saved = await send(over, seen);
      if (saved !== null) setError(null);
      return saved;
    } catch (failure) {
      if (isConflict(failure) || failure instanceof NotSaved) await readNewest?.();
      setSettled(over);
      setError(failure);
      return null;
    } finally {
      isUnderWay.current = false;
      setIsSaving(false);
    }
  };

  return {
    isSaving,
    error: theirs ? null : error,
    theirs,
    save: () => sendOver(version, null),
    keepMine: async () => (theirs ? sendOver(theirs.version, theirs) : null),
    takeTheirs() {
      if (theirs) {
        show?.(theirs);
        setSettled(theirs.version);
      }
      setError(null);
    },
    clear() {
      if (!theirs) setError(null);
    },
  };
};
