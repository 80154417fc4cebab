import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { accountHttp } from '#contracts/account.ts';
import { sessionsHttp } from '#contracts/sessions.ts';
import { useMe } from '../../access/access-state.ts';
import { PasswordField } from '../../access/password-field.tsx';
import { Card } from '../../design/card.tsx';
import { notifyDone } from '../../design/notify.ts';
import { Trouble } from '../../design/trouble.tsx';
import { useWords } from '../../language/use-words.ts';
import { useChange } from '../../wire/queries.ts';
import { HiddenUsername } from './hidden-username.tsx';
import { profileWords } from './profile.words.ts';

export const PasswordCard = () => {
  const { password: words } = useWords(profileWords);
  const { name } = useMe();
  const [areDifferent, setAreDifferent] = useState(false);
  const change = useChange(accountHttp.changePassword, [sessionsHttp.list]);

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const field = (of: string) => String(new FormData(form).get(of) ?? '');
    const isSame = field('new') === field('again');
    setAreDifferent(!isSame);
    if (!isSame || change.isPending) return;
    const body = { currentPassword: field('current'), newPassword: field('new') };
    change.mutate(
      { body },
      {
        onSuccess: () => {
          form.reset();
          notifyDone(words.changed);
        },
      },
    );
  };

  return (
    <Card title={words.title}>
      <Text c="dimmed">{words.text}</Text>
      <form onSubmit={send}>
        <Stack gap="sm">
          <HiddenUsername name={name} />
          <PasswordField name="current" label={words.current} autoComplete="current-password" />
          <PasswordField name="new" label={words.new} autoComplete="new-password" minLength={10} />
          <PasswordField
            name="again"
            label={words.again}
            autoComplete="new-password"
            {...(areDifferent && { error: words.differ })}
          />
          {change.error && <Trouble error={change.error} />}
          <div>
            <Button type="submit" loading={change.isPending}>
              {words.change}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
};
