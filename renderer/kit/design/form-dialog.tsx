import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useWords } from '../language/use-words.ts';
import { designWords } from './design.words.ts';
import { Trouble } from './trouble.tsx';
import { useReturnFocus } from './use-return-focus.ts';

/** A dialog that asks for something and does it; it is mounted only while it is open. */
export const FormDialog = (props: {
  readonly title: ReactNode;
  readonly size?: NonNullable<ModalProps['size']>;
  readonly children: ReactNode;
  /** "Save"; null: there is nothing left to do but to close the dialog. */
  readonly act: string | null;
  readonly isActing: boolean;
  readonly isDestructive?: boolean;
  /** False: the act is not possible yet. */
  readonly isReady?: boolean;
  /** Why the act failed; the dialog stays, with everything that was typed. */
  readonly error?: unknown;
  /** Not called again while the act is running. */
  readonly onSubmit: (typed: FormData) => void;
  readonly onClose: () => void;
  /** Instead of "Cancel". */
  readonly leave?: string;
  /** A dangerous act: the focus starts on "Cancel". */
  readonly beginsAtLeave?: boolean;
  /** The result must be seen: the dialog cannot be closed until the act has ended. */
  readonly staysWhileActing?: boolean;
  /** Only where no input is lost by it. */
  readonly closeOnClickOutside?: boolean;
  /** False where Escape would discard something that takes long. */
  readonly closeOnEscape?: boolean;
  /** Text beside the buttons. */
  readonly note?: ReactNode;
  /** Other buttons, before the button of the act. */
  readonly otherActs?: ReactNode;
}) => {
  useReturnFocus();
  const words = useWords(designWords);
  const { act, isActing, isReady = true, error = null, onSubmit, onClose } = props;
  const isHeld = isActing && props.staysWhileActing === true;
  const leaving = useRef<HTMLButtonElement>(null);
  // The element that had the focus is gone.
  useEffect(() => {
    if (act === null) leaving.current?.focus();
  }, [act]);
  return (
    <Modal
      opened
      onClose={() => {
        if (!isHeld) onClose();
      }}
      title={props.title}
      size={props.size ?? 'md'}
      closeOnClickOutside={props.closeOnClickOutside ?? false}
      closeOnEscape={props.closeOnEscape ?? true}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // React would pass the event on to the form from which this dialog was opened, too.
          event.stopPropagation();
          if (act !== null && isReady && !isActing) onSubmit(new FormData(event.currentTarget));
        }}
      >
        <Stack>
          {props.children}
          {error !== null && <Trouble error={error} />}
          <Group justify="space-between" gap="xs">
            {props.note && (
              <Text size="sm" c="dimmed">
                {props.note}
              </Text>
            )}
            <Group justify="flex-end" gap="xs" ml="auto">
              <Button
                ref={leaving}
                variant="default"
                onClick={onClose}
                disabled={isHeld}
                {...(props.beginsAtLeave && { 'data-autofocus': true })}
              >
                {props.leave ?? words.cancel}
              </Button>
              {props.otherActs}
              {act !== null && (
                <Button
                  type="submit"
                  color={props.isDestructive ? 'red.8' : 'castle'}
                  loading={isActing}
                  disabled={!isReady}
                >
                  {act}
                </Button>
              )}
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
