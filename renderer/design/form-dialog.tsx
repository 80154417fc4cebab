import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useWords } from '../language/use-words.ts';
import { designWords } from './design.words.ts';
import { Trouble } from './trouble.tsx';
import { useReturnFocus } from './use-return-focus.ts';

export interface FormDialogProps {
  readonly title: ReactNode;
  readonly size?: NonNullable<ModalProps['size']>;
  readonly children: ReactNode;
  /** "Save"; null: nothing is left to do here but to leave. */
  readonly act: string | null;
  readonly isActing: boolean;
  readonly isDestructive?: boolean;
  /** False: the act cannot be asked for yet. */
  readonly isReady?: boolean;
  /** Why the act has failed; the dialog stays, with all that was typed. */
  readonly error?: unknown;
  /** Not called again while it is acting. */
  readonly onSubmit: (typed: FormData) => void;
  readonly onClose: () => void;
  /** Instead of "Cancel". */
  readonly leave?: string;
  /** What it asks is dangerous: the focus begins at "Cancel". */
  readonly beginsAtLeave?: boolean;
  /** What comes of the act must be seen: until it has ended, the dialog cannot be left. */
  readonly staysWhileActing?: boolean;
  /** Only where nothing that was typed is lost by it. */
  readonly closeOnClickOutside?: boolean;
  /** False while Escape would throw away what takes long. */
  readonly closeOnEscape?: boolean;
  /** Said beside the buttons. */
  readonly note?: ReactNode;
  /** Other buttons, before that of the act. */
  readonly otherActs?: ReactNode;
}

/** A dialog that asks for something and does it: it is there only while it is open. */
export const FormDialog = (props: FormDialogProps) => {
  useReturnFocus();
  const words = useWords(designWords);
  const { act, isActing, isReady = true, error = null, onSubmit, onClose } = props;
  const isHeld = isActing && props.staysWhileActing === true;
  const leaving = useRef<HTMLButtonElement>(null);
  // What had the focus has gone.
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
          // React would tell the form that this dialog was opened from, too.
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
