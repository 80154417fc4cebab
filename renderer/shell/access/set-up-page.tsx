import { Button, Code, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { setupHttp, setupPagePath } from '#contracts/operations/setup.ts';
import { accessWords } from '../../identity/access/access.words.ts';
import { PasswordField } from '../../identity/password-field.tsx';
import { useCountdown } from '../../identity/use-countdown.ts';
import { askAccess, beSignedIn } from '../../kit/access/access-state.ts';
import { ApiProblem } from '../../kit/api/api-problem.ts';
import { callOnce } from '../../kit/api/call.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { presentLanguage, useWords } from '../../kit/language/use-words.ts';
import { goTo, useHashLocation, useHashSearch } from '../../kit/routing/use-hash-location.ts';
import { AuthLayout } from './auth-layout.tsx';

const askAgainMs = 5000;
const command = 'castellan admin create';

/** The token of the set-up link, also when the link is opened while this page is already shown. */
const useToken = (): string | null => {
  const [path] = useHashLocation();
  const token = new URLSearchParams(useHashSearch()).get('token');
  return path === setupPagePath ? token : null;
};

/** Creates the first owner for a visitor with the set-up link, and tells everyone else where to find the link. */
export const SetUpPage = () => {
  const words = useWords(accessWords);
  const token = useToken();
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const secondsLeft = useCountdown(error);
  useEffect(() => {
    if (token !== null) return;
    // The owner may be created on the command line.
    const timer = setInterval(askAccess, askAgainMs);
    return () => clearInterval(timer);
  }, [token]);

  const send = async (form: FormData, setUpToken: string) => {
    const name = String(form.get('name') ?? '');
    const password = String(form.get('password') ?? '');
    setIsSending(true);
    setError(null);
    try {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const language = presentLanguage();
      await sendChange(setupHttp.createOwner, {
        body: { token: setUpToken, name, password, language, timeZone },
      });
    } catch (failure) {
      setError(failure);
      setIsSending(false);
      // Someone else may have used the link in between.
      if (failure instanceof ApiProblem && failure.code === 'SETUP_LINK_INVALID') void askAccess();
      return;
    }
    goTo('/first-steps', { replace: true });
    // The owner exists now; if signing in fails, the sign-in page says why.
    await callOnce(sessionsHttp.signIn, { body: { name, password } }).then(beSignedIn, askAccess);
  };

  if (token === null)
    return (
      <AuthLayout title={words.setUpLink}>
        <Text>{words.setUpLinkText}</Text>
        <Code block>
          {command} <CopyButton value={command} />
        </Code>
      </AuthLayout>
    );
  return (
    <AuthLayout title={words.setUp}>
      <Text>{words.setUpText}</Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSending && secondsLeft === 0) void send(new FormData(event.currentTarget), token);
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
          <PasswordField
            name="password"
            label={words.newPassword}
            autoComplete="new-password"
            minLength={10}
          />
          {error !== null && <Trouble error={error} />}
          <Button type="submit" loading={isSending} disabled={secondsLeft > 0}>
            {secondsLeft > 0 ? words.wait(secondsLeft) : words.create}
          </Button>
        </Stack>
      </form>
    </AuthLayout>
  );
};
