import { PasswordInput, Radio, Stack } from '@mantine/core';
import { useWords } from '../../../language/use-words.ts';
import type { PasswordChoice, ServerDraft } from '../server-draft.ts';
import { settingsWords } from './settings.words.ts';

export interface PasswordFieldsProps {
  readonly draft: ServerDraft;
  readonly hasPassword: boolean;
  /** The stored one must not be used at the new address. */
  readonly mustGive: boolean;
  readonly onChange: (changes: Partial<ServerDraft>) => void;
}

const choices = ['keep', 'new', 'none'] as const satisfies readonly PasswordChoice[];

export const PasswordFields = ({ draft, hasPassword, mustGive, onChange }: PasswordFieldsProps) => {
  const words = useWords(settingsWords).password;
  const shown = choices.filter((choice) => choice !== 'keep' || hasPassword);
  return (
    <>
      <Radio.Group
        label={words.label}
        value={draft.passwordChoice}
        onChange={(value) =>
          onChange({ passwordChoice: choices.find((choice) => choice === value) ?? draft.passwordChoice })
        }
      >
        <Stack gap="xs" mt="xs">
          {shown.map((choice) => (
            <Radio
              key={choice}
              value={choice}
              label={words[choice]}
              {...(choice === 'keep' && mustGive && { disabled: true, description: words.keepNot })}
            />
          ))}
        </Stack>
      </Radio.Group>
      {draft.passwordChoice === 'new' && (
        <PasswordInput
          label={words.field}
          value={draft.password}
          onChange={({ currentTarget }) => onChange({ password: currentTarget.value })}
          required
          maxLength={200}
          autoComplete="off"
        />
      )}
    </>
  );
};
