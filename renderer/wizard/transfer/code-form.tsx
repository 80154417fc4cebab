import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../language/use-words.ts';
import { WizardActions } from '../frame/wizard-frame.tsx';
import classes from '../wizard.module.css';
import { wizardWords } from '../wizard.words.ts';

export interface CodeFormProps {
  readonly act: string;
  readonly isActing: boolean;
  readonly secondsLeft: number;
  readonly onCode: (code: string) => void;
  readonly onNewCode: () => void;
  readonly onBack: () => void;
  readonly backLabel: string;
}

/** Asks for a mailed code. */
export const CodeForm = ({
  act,
  isActing,
  secondsLeft,
  onCode,
  onNewCode,
  onBack,
  backLabel,
}: CodeFormProps) => {
  const words = useWords(wizardWords);
  const [code, setCode] = useState('');
  const isBlocked = secondsLeft > 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBlocked && code.trim() !== '') onCode(code.trim());
      }}
    >
      <Stack>
        <TextInput
          className={classes.short}
          label={words.code}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          autoComplete="one-time-code"
          spellCheck={false}
          maxLength={40}
          required
          withAsterisk={false}
          autoFocus
        />
        <WizardActions>
          <Button type="submit" loading={isActing} disabled={isBlocked}>
            {isBlocked ? words.wait(secondsLeft) : act}
          </Button>
          <Button variant="default" onClick={onNewCode} disabled={isActing || isBlocked}>
            {words.newCode}
          </Button>
          <Button variant="subtle" onClick={onBack}>
            {backLabel}
          </Button>
        </WizardActions>
      </Stack>
    </form>
  );
};
