import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Admin, adminsHttp } from '#contracts/admins.ts';
import { designWords } from '../../design/design.words.ts';
import { Trouble } from '../../design/trouble.tsx';
import { useReturnFocus } from '../../design/use-return-focus.ts';
import { useWords } from '../../language/use-words.ts';
import { useChange } from '../../wire/queries.ts';
import { adminsWords } from './admins.words.ts';
import { HandOver } from './hand-over.tsx';
import { PasswordField } from './password-field.tsx';
import { suggestedPassword } from './suggested-password.ts';

export interface ResetPasswordProps {
  readonly admin: Admin;
  readonly onClose: () => void;
}

export const ResetPassword = ({ admin, onClose }: ResetPasswordProps) => {
  const words = useWords(adminsWords);
  const general = useWords(designWords);
  const [password, setPassword] = useState(suggestedPassword);
  const [isClearing, setIsClearing] = useState(false);
  const reset = useChange(adminsHttp.resetPassword, [adminsHttp.list, adminsHttp.sessions]);
  useReturnFocus();
  /** Not while it is being set: it would be handed over by nobody. */
  const close = () => {
    if (!reset.isPending) onClose();
  };

  if (reset.data)
    return (
      <HandOver
        title={words.handOver.reset(admin.name)}
        name={admin.name}
        password={password}
        onClose={onClose}
      />
    );
  return (
    <Modal
      opened
      onClose={close}
      closeOnClickOutside={false}
      title={
        <>
          {words.reset}: <bdi>{admin.name}</bdi>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          reset.mutate({ params: { id: admin.id }, body: { password, clearTotp: isClearing } });
        }}
      >
        <Stack>
          <Text>{words.resetText}</Text>
          <PasswordField value={password} onChange={setPassword} />
          {admin.totp && (
            <Checkbox
              label={words.clearTotp}
              description={words.clearTotpAbout}
              checked={isClearing}
              onChange={({ currentTarget }) => setIsClearing(currentTarget.checked)}
            />
          )}
          {reset.error && <Trouble error={reset.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close} disabled={reset.isPending}>
              {general.cancel}
            </Button>
            <Button type="submit" loading={reset.isPending}>
              {words.reset}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
