import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { Endpoint } from '#contracts/kernel/http.ts';
import { queryClient, readKey } from '../api/queries.ts';
import { useWords } from '../language/use-words.ts';
import { designWords } from './design.words.ts';
import { notifyDone, notifyTrouble, notifyUndoable, withdrawNotice } from './notify.ts';

interface Undoable {
  /** The id of the action: repeating the action replaces the notice. */
  readonly id: string;
  /** "Heron is unbanned." */
  readonly done: string;
  /** What the notice says after the undo. */
  readonly undone: string;
  /** Resolves to false if not everything could be undone; it has already said so. */
  readonly undo: () => Promise<unknown>;
  /** The queries to read again afterwards. */
  readonly stale: readonly Endpoint[];
}

/** Shows a short notice that something is done, with a button to undo it. */
export const offerUndo = (act: Undoable): void => notifyUndoable(act.id, <UndoNotice act={act} />);

const UndoNotice = ({ act }: { readonly act: Undoable }) => {
  const words = useWords(designWords);
  const [isUndoing, setIsUndoing] = useState(false);
  const undo = async () => {
    if (isUndoing) return;
    // A double press undoes it once.
    setIsUndoing(true);
    await withdrawNotice(act.id);
    try {
      if ((await act.undo()) !== false) notifyDone(act.undone);
    } catch (error) {
      notifyTrouble(error);
    }
    for (const endpoint of act.stale) void queryClient.invalidateQueries({ queryKey: readKey(endpoint) });
  };
  return (
    <Group justify="space-between" gap="xs">
      <span>{act.done}</span>
      <Button size="compact-sm" variant="default" onClick={() => void undo()}>
        {words.undo}
      </Button>
    </Group>
  );
};
