import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { setupHttp } from '#contracts/operations/setup.ts';
import { PasswordField } from '../../identity/password-field.tsx';
import { useChange } from '../../kit/api/queries.ts';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import classes from '../../operations/computer/desktop-actions/wizard.module.css';
import { wizardWords } from '../../operations/computer/desktop-actions/wizard.words.ts';
import { useDesktopAction } from '../../operations/use-desktop-action.ts';
import { WizardActions, WizardFrame } from './frame/wizard-frame.tsx';

/** The first account, created by the desktop, which acts as the owner of this machine. */
export const OwnerPage = ({ onDone }: { readonly onDone: () => void }) => {
  const words = useWords(wizardWords);
  const act = useDesktopAction();
  // The first steps ask whether there is an owner.
  const create = useChange(adminsHttp.create, [setupHttp.state]);
  const [name, setName] = useState('');
  const make = (form: FormData) =>
    act.run(async () => {
      const password = String(form.get('password') ?? '');
      await create.mutateAsync({ body: { name, password, role: 'owner' } });
      onDone();
    });
  return (
    <WizardFrame title={words.owner} step="owner">
      <Text c="dimmed">{words.ownerText}</Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make(new FormData(event.currentTarget));
        }}
      >
        <Stack>
          <Stack className={classes.short}>
            <TextInput
              label={words.ownerName}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              autoComplete="username"
              maxLength={64}
              required
              autoFocus
            />
            <PasswordField
              name="password"
              label={words.ownerPassword}
              autoComplete="new-password"
              minLength={10}
            />
          </Stack>
          {act.error !== null && <Trouble error={act.error} />}
          <WizardActions>
            <Button type="submit" loading={act.isActing}>
              {words.ownerMake}
            </Button>
            <Button variant="subtle" onClick={onDone}>
              {words.ownerLater}
            </Button>
          </WizardActions>
        </Stack>
      </form>
    </WizardFrame>
  );
};
