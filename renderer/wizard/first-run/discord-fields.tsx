import { PasswordInput, TextInput } from '@mantine/core';
import { discordIdPattern, discordTokenPattern } from '#contracts/desktop-first-run.ts';
import { accessWords } from '../../access/access.words.ts';
import { useWords } from '../../language/use-words.ts';
import { firstRunWords } from './first-run.words.ts';

export const isDiscordToken = (text: string): boolean => discordTokenPattern.test(text.trim());
/** Empty: it is found out by the test. */
export const isDiscordId = (text: string): boolean => text === '' || discordIdPattern.test(text);

export interface DiscordFieldsProps {
  readonly token: string;
  readonly clientId: string;
  readonly guildId: string;
  readonly onToken: (token: string) => void;
  readonly onClientId: (id: string) => void;
  readonly onGuildId: (id: string) => void;
  readonly isReadOnly: boolean;
  readonly tokenDescription?: string;
  readonly tokenPlaceholder?: string | undefined;
}

/** The bot's token, and where it works. */
export const DiscordFields = (props: DiscordFieldsProps) => {
  const { token, clientId, guildId, isReadOnly } = props;
  const { discord } = useWords(firstRunWords);
  const { showPassword } = useWords(accessWords);
  const idField = (label: string, id: string, onId: (id: string) => void, description?: string) => (
    <TextInput
      label={label}
      description={description}
      value={id}
      onChange={({ currentTarget }) => onId(currentTarget.value.trim())}
      error={!isDiscordId(id) && discord.wrongId}
      inputMode="numeric"
      autoComplete="off"
      readOnly={isReadOnly}
      maxLength={40}
    />
  );
  return (
    <>
      <PasswordInput
        label={discord.token}
        description={props.tokenDescription}
        placeholder={props.tokenPlaceholder}
        value={token}
        onChange={({ currentTarget }) => props.onToken(currentTarget.value)}
        error={token.trim() !== '' && !isDiscordToken(token) && discord.wrongToken}
        visibilityToggleButtonProps={{ 'aria-label': showPassword }}
        autoComplete="off"
        readOnly={isReadOnly}
        maxLength={200}
      />
      {idField(discord.clientId, clientId, props.onClientId)}
      {idField(discord.guildId, guildId, props.onGuildId, discord.idHelp)}
    </>
  );
};
