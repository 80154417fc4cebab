import { Button, Group, Modal, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useWords } from '../language/use-words.ts';
import { designWords } from './design.words.ts';
import { notifyTrouble } from './notify.ts';
import { Trouble } from './trouble.tsx';
import { useReturnFocus } from './use-return-focus.ts';

export interface ConfirmActProps {
  /** "Archive Fjordland?" */
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode;
  /** "Archive". */
  readonly act: string;
  readonly isDestructive?: boolean;
  /** Fulfilled when it is done; the dialog stays and says why when it fails. */
  readonly onAct: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks once before something that hurts, and says what will happen. */
export const ConfirmAct = ({
  title,
  children,
  act,
  isDestructive = true,
  onAct,
  onClose,
}: ConfirmActProps) => {
  useReturnFocus();
  const words = useWords(designWords);
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
      await onAct();
      if (isThere.current) onClose();
    } catch (failure) {
      // Closed meanwhile, the dialog can no longer say it.
      if (isThere.current) setError(failure);
      else notifyTrouble(failure);
    } finally {
      setIsActing(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack gap="md">
        <div>{children}</div>
        {error !== null && <Trouble error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {words.cancel}
          </Button>
          <Button color={isDestructive ? 'red.8' : 'castle'} loading={isActing} onClick={run}>
            {act}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
