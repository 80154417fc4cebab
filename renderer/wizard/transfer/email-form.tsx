import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { customerEmailSchema } from '#contracts/customers.ts';
import { useWords } from '../../language/use-words.ts';
import { wizardWords } from '../wizard.words.ts';

export interface EmailFormProps {
  readonly isActing: boolean;
  readonly secondsLeft: number;
  readonly onEmail: (email: string) => void;
}

/** Asks whom the code is to be mailed to. */
export const EmailForm = ({ isActing, secondsLeft, onEmail }: EmailFormProps) => {
  const words = useWords(wizardWords);
  const [email, setEmail] = useState('');
  const typed = customerEmailSchema.safeParse(email.trim());
  const isBlocked = secondsLeft > 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.success && !isBlocked) onEmail(typed.data);
      }}
    >
      <Stack>
        <Text>{words.transferText}</Text>
        <TextInput
          type="email"
          label={words.email}
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          autoComplete="email"
          maxLength={254}
          required
          autoFocus
        />
        <Button type="submit" loading={isActing} disabled={!typed.success || isBlocked}>
          {isBlocked ? words.wait(secondsLeft) : words.sendCode}
        </Button>
      </Stack>
    </form>
  );
};
