import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import type { EndpointResponse } from '#contracts/kernel/http.ts';
import { beSignedIn } from '../../kit/access/access-state.ts';
import { callOnce } from '../../kit/api/call.ts';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { PasswordField } from '../password-field.tsx';
import { useCountdown } from '../use-countdown.ts';
import { accessWords } from './access.words.ts';

/** Name and password, and the code if one is required. */
export const SignInForm = ({
  name,
}: {
  /** The person to sign in again. */
  readonly name?: string;
}) => {
  const words = useWords(accessWords);
  const [typed, setTyped] = useState({ name: name ?? '', password: '' });
  const [challenge, setChallenge] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const secondsLeft = useCountdown(error);

  const send = async (form: FormData) => {
    const field = (of: string) => String(form.get(of) ?? '');
    const who = challenge ? typed : { name: field('name'), password: field('password') };
    setTyped(who);
    setIsSending(true);
    setError(null);
    try {
      const answer: EndpointResponse<typeof sessionsHttp.signIn> = challenge
        ? await callOnce(sessionsHttp.secondStep, { body: { challenge, code: field('code').trim() } })
        : await callOnce(sessionsHttp.signIn, { body: who });
      if (answer.outcome === 'second-step') setChallenge(answer.challenge);
      else await beSignedIn();
    } catch (failure) {
      setError(failure);
    } finally {
      setIsSending(false);
    }
  };
  const goBack = () => {
    setChallenge(null);
    setError(null);
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSending && secondsLeft === 0) void send(new FormData(event.currentTarget));
      }}
    >
      <Stack>
        {challenge === null ? (
          <>
            <TextInput
              name="name"
              label={words.name}
              autoComplete="username"
              defaultValue={typed.name}
              required
              maxLength={200}
              autoFocus={typed.name === ''}
            />
            <PasswordField
              name="password"
              label={words.password}
              autoComplete="current-password"
              defaultValue={typed.password}
              isFirst={typed.name !== ''}
            />
          </>
        ) : (
          <TextInput
            key="code"
            name="code"
            label={words.code}
            description={words.codeHelp}
            autoComplete="one-time-code"
            maxLength={50}
            required
            autoFocus
          />
        )}
        {error !== null && <Trouble error={error} />}
        <Button type="submit" loading={isSending} disabled={secondsLeft > 0}>
          {secondsLeft > 0 ? words.wait(secondsLeft) : challenge === null ? words.signIn : words.continue}
        </Button>
        {challenge !== null && (
          <Button variant="subtle" onClick={goBack}>
            {words.back}
          </Button>
        )}
      </Stack>
    </form>
  );
};
