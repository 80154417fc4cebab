import { Button, Stack, Text, TextInput } from '@mantine/core';
import { customerEmailSchema } from '#contracts/customers.ts';
import { useWords } from '../../language/use-words.ts';
import { licenseRemedyWords } from '../../license/license-remedies.words.ts';
import { WizardActions } from '../frame/wizard-frame.tsx';
import { BackButton } from '../license/back-button.tsx';
import classes from '../wizard.module.css';
import { wizardWords } from '../wizard.words.ts';

export interface EmailFormProps {
  readonly typed: string;
  readonly onTyped: (email: string) => void;
  /** The customer is looking for a license rather than moving one. */
  readonly isSearch: boolean;
  readonly isActing: boolean;
  readonly secondsLeft: number;
  readonly onEmail: (email: string) => void;
  readonly onBack: () => void;
}

/** Asks for the address to mail the code to. */
export const EmailForm = (props: EmailFormProps) => {
  const { typed, onTyped, isSearch, isActing, secondsLeft, onEmail, onBack } = props;
  const words = useWords(wizardWords);
  const { findText } = useWords(licenseRemedyWords);
  const email = customerEmailSchema.safeParse(typed.trim());
  const isBlocked = secondsLeft > 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (email.success && !isBlocked) onEmail(email.data);
      }}
    >
      <Stack>
        <Text c="dimmed">{isSearch ? findText : words.transferText}</Text>
        <TextInput
          className={classes.short}
          type="email"
          label={words.email}
          value={typed}
          onChange={({ currentTarget }) => onTyped(currentTarget.value)}
          autoComplete="email"
          maxLength={254}
          required
          withAsterisk={false}
          autoFocus
        />
        <WizardActions>
          <Button type="submit" loading={isActing} disabled={!email.success || isBlocked}>
            {isBlocked ? words.wait(secondsLeft) : words.sendCode}
          </Button>
          <BackButton onBack={onBack} />
        </WizardActions>
      </Stack>
    </form>
  );
};
