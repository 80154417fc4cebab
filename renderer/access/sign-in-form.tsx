import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { EndpointResponse } from '#contracts/http.ts';
import { sessionsHttp } from '#contracts/sessions.ts';
import { Trouble } from '../design/trouble.tsx';
import { useWords } from '../language/use-words.ts';
import { call } from '../wire/call.ts';
import { queryClient } from '../wire/queries.ts';
import { accessWords } from './access.words.ts';
import { beSignedIn } from './access-state.ts';

const enter = async () => {
  await beSignedIn();
  await queryClient.invalidateQueries();
};

/** Name and password, and the code where one is asked for. */
export const SignInForm = () => {
  const words = useWords(accessWords);
  const [challenge, setChallenge] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const send = async (form: FormData) => {
    const field = (name: string) => String(form.get(name) ?? '');
    setIsSending(true);
    setError(null);
    try {
      const answer: EndpointResponse<typeof sessionsHttp.signIn> = challenge
        ? await call(sessionsHttp.secondStep, { body: { challenge, code: field('code').trim() } })
        : await call(sessionsHttp.signIn, { body: { name: field('name'), password: field('password') } });
      if (answer.outcome === 'second-step') setChallenge(answer.challenge);
      else await enter();
    } catch (failure) {
      setError(failure);
    } finally {
      setIsSending(false);
    }
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send(new FormData(event.currentTarget));
      }}
    >
      <Stack>
        {challenge === null ? (
          <>
            <TextInput name="name" label={words.name} autoComplete="username" required data-autofocus />
            <PasswordInput name="password" label={words.password} autoComplete="current-password" required />
          </>
        ) : (
          <TextInput
            key="code"
            name="code"
            label={words.code}
            description={words.codeHelp}
            autoComplete="one-time-code"
            required
            autoFocus
          />
        )}
        {error !== null && <Trouble error={error} />}
        <Button type="submit" loading={isSending}>
          {challenge === null ? words.signIn : words.continue}
        </Button>
        {challenge !== null && (
          <Button variant="subtle" onClick={() => setChallenge(null)}>
            {words.back}
          </Button>
        )}
      </Stack>
    </form>
  );
};
