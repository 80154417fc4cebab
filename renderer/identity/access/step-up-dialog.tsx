import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { accountHttp, stepUpMinutes } from '#contracts/identity/account.ts';
import { useMe } from '../../kit/access/access-state.ts';
import { callOnce } from '../../kit/api/call.ts';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { PasswordField } from '../password-field.tsx';
import { useCountdown } from '../use-countdown.ts';
import { accessWords } from './access.words.ts';
import { Overlay } from './overlay.tsx';

const titleId = 'step-up';

/** Asks for the person's own password or a code again; the refused call is then repeated automatically. */
export const StepUpDialog = ({ onSettled }: { readonly onSettled: (isDone: boolean) => void }) => {
  const words = useWords(accessWords);
  const { name, account } = useMe();
  const hasCode = account?.totp === 'on';
  const [byCode, setByCode] = useState(hasCode);
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const secondsLeft = useCountdown(error);
  // If it is removed along with its page, no call is left waiting.
  useEffect(() => () => onSettled(false), [onSettled]);

  const send = async (form: FormData) => {
    const typed = String(form.get('proof') ?? '');
    setIsSending(true);
    setError(null);
    try {
      await callOnce(accountHttp.stepUp, { body: byCode ? { code: typed.trim() } : { password: typed } });
      onSettled(true);
    } catch (failure) {
      setError(failure);
      setIsSending(false);
    }
  };

  return (
    <Overlay labelledBy={titleId}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (!isSending && secondsLeft === 0) void send(new FormData(event.currentTarget));
        }}
      >
        <Stack>
          <Title order={2} id={titleId}>
            {words.stepUp.title}
          </Title>
          <Text>{words.stepUp.text(stepUpMinutes)}</Text>
          <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
          {byCode ? (
            <TextInput
              key="code"
              name="proof"
              label={words.code}
              description={words.codeHelp}
              autoComplete="one-time-code"
              maxLength={50}
              required
              autoFocus
              data-autofocus
            />
          ) : (
            <PasswordField
              key="password"
              name="proof"
              label={words.password}
              autoComplete="current-password"
              isFirst
            />
          )}
          {error !== null && <Trouble error={error} />}
          <Group justify="space-between" gap="xs">
            {hasCode && (
              <Button
                variant="subtle"
                onClick={() => {
                  setByCode(!byCode);
                  setError(null);
                }}
              >
                {byCode ? words.stepUp.usePassword : words.stepUp.useCode}
              </Button>
            )}
            <Group gap="xs" ml="auto">
              <Button variant="default" data-leaves-overlay onClick={() => onSettled(false)}>
                {words.stepUp.cancel}
              </Button>
              <Button type="submit" loading={isSending} disabled={secondsLeft > 0}>
                {secondsLeft > 0 ? words.wait(secondsLeft) : words.stepUp.confirm}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Overlay>
  );
};
