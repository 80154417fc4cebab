import { useRef, useState } from 'react';
import { isConflict } from '../wire/api-problem.ts';

interface Versioned {
  readonly version: number;
}

export interface VersionedFormOptions<Known extends Versioned, Saved> {
  /** That the typing began with; 0 where a new one is made. */
  readonly version: number;
  /** As the API has it now. */
  readonly newest: Known | undefined;
  /**
   * Sends what is typed, over `version`.
   * @param theirs what the person saves over, after they have seen it; null: what the typing began with
   * @returns null when it was not sent
   */
  readonly send: (version: number, theirs: Known | null) => Promise<Saved | null>;
  /** Reads `newest` again, after a save was refused because someone else was first. */
  readonly readNewest?: () => Promise<unknown>;
}

export interface VersionedForm<Known, Saved> {
  readonly isSaving: boolean;
  /** Why the last save failed; null also while `theirs` tells it. */
  readonly error: unknown;
  /** What someone else has made of it meanwhile; null until a save was refused for that, and it has been read. */
  readonly theirs: Known | null;
  /** @returns what is saved; null when it is not */
  save(): Promise<Saved | null>;
  /** Saves what is typed over `theirs`. */
  keepMine(): Promise<Saved | null>;
  /** Goes on from `theirs`, which the caller shows in place of what is typed. */
  takeTheirs(): void;
  /** Something was typed: why the last save failed no longer holds. A choice stays. */
  clear(): void;
}

/**
 * A form over something that has a version. What is typed stays until it is saved: where someone else was first, both
 * stand beside each other until the person has chosen.
 */
export const useVersionedForm = <Known extends Versioned, Saved>(
  options: VersionedFormOptions<Known, Saved>,
): VersionedForm<Known, Saved> => {
  const { newest, send, readNewest } = options;
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setIsSaving] = useState(false);
  /** Chosen to be saved over, or taken. */
  const [settled, setSettled] = useState(0);
  const isUnderWay = useRef(false);
  const version = Math.max(options.version, settled);
  const theirs = isConflict(error) && newest && newest.version > version ? newest : null;

  const sendOver = async (over: number, seen: Known | null): Promise<Saved | null> => {
    if (isUnderWay.current) return null;
    isUnderWay.current = true;
    setIsSaving(true);
    // A choice stays in sight until it is saved.
    if (!theirs) setError(null);
    try {
      const saved = await send(over, seen);
      if (saved !== null) setError(null);
      return saved;
    } catch (failure) {
      if (isConflict(failure)) await readNewest?.();
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
      if (theirs) setSettled(theirs.version);
      setError(null);
    },
    clear() {
      if (!theirs) setError(null);
    },
  };
};
