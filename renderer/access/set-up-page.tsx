import { Button, Code, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { sessionsHttp } from '#contracts/sessions.ts';
import { setupHttp, setupPagePath } from '#contracts/setup.ts';
import { Trouble } from '../design/trouble.tsx';
import { useWords } from '../language/use-words.ts';
import { parseHash } from '../routing/hash-location.ts';
import { goTo } from '../routing/use-hash-location.ts';
import { call } from '../wire/call.ts';
import { accessWords } from './access.words.ts';
import { beSignedIn } from './access-state.ts';
import { Gatehouse } from './gatehouse.tsx';

/** Of the set-up link; read once, since the address is changed when it was used. */
const tokenInAddress = (): string | null => {
  const { path, search } = parseHash(location.hash);
  return path === setupPagePath ? new URLSearchParams(search).get('token') : null;
};

/** Makes the first owner for whoever has come by the set-up link, and tells everybody else where it is. */
export const SetUpPage = () => {
  const words = useWords(accessWords);
  const [token] = useState(tokenInAddress);
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const send = async (form: FormData, setUpToken: string) => {
    const name = String(form.get('name') ?? '');
    const password = String(form.get('password') ?? '');
    setIsSending(true);
    setError(null);
    try {
      await call(setupHttp.createOwner, { body: { token: setUpToken, name, password } });
      goTo('/first-steps', { replace: true });
      await call(sessionsHttp.signIn, { body: { name, password } });
      await beSignedIn();
    } catch (failure) {
      setError(failure);
    } finally {
      setIsSending(false);
    }
  };

  if (token === null)
    return (
      <Gatehouse title={words.setUpLink}>
        <Text>{words.setUpLinkText}</Text>
        <Code block>castellan admin create</Code>
      </Gatehouse>
    );
  return (
    <Gatehouse title={words.setUp}>
      <Text>{words.setUpText}</Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send(new FormData(event.currentTarget), token);
        }}
      >
        <Stack>
          <TextInput
            name="name"
            label={words.name}
            autoComplete="username"
            required
            maxLength={64}
            autoFocus
          />
          <PasswordInput
            name="password"
            label={words.newPassword}
            autoComplete="new-password"
            required
            minLength={10}
          />
          {error !== null && <Trouble error={error} />}
          <Button type="submit" loading={isSending}>
            {words.create}
          </Button>
        </Stack>
      </form>
    </Gatehouse>
  );
};
