import { TextInput } from '@mantine/core';
import {
  discordIdPattern,
  discordTokenPattern,
  pastedDiscordId,
  pastedDiscordToken,
} from '#contracts/discord/discord-application.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { discordSetupWords } from './discord-setup.words.ts';

export const isDiscordToken = (text: string): boolean => discordTokenPattern.test(pastedDiscordToken(text));
/** Empty: none is chosen. */
export const isDiscordId = (text: string): boolean => text === '' || discordIdPattern.test(text);

/** The bot's application, and the Discord server where it works. */
export const DiscordIdFields = (props: {
  readonly clientId: string;
  readonly guildId: string;
  readonly onClientId: (id: string) => void;
  readonly onGuildId: (id: string) => void;
  readonly isReadOnly: boolean;
  /** The ids that are in `.env` and cannot be changed here. */
  readonly fromEnv?: readonly ('clientId' | 'guildId')[];
  /** The test finds out the application, so no one is asked for it. */
  readonly isGuildAlone?: boolean;
}) => {
  const { isReadOnly, fromEnv = [], isGuildAlone = false } = props;
  const words = useWords(discordSetupWords);
  const field = (name: 'clientId' | 'guildId', onId: (id: string) => void, help: string) => {
    const isFromEnv = fromEnv.includes(name);
    return (
      <TextInput
        label={words[name]}
        description={isFromEnv ? words.inEnv : help}
        value={props[name]}
        onChange={({ currentTarget }) => onId(pastedDiscordId(currentTarget.value))}
        error={!isDiscordId(props[name]) && words.wrongId}
        inputMode="numeric"
        autoComplete="off"
        readOnly={isReadOnly || isFromEnv}
        maxLength={200}
      />
    );
  };
  return (
    <>
      {!isGuildAlone && field('clientId', props.onClientId, words.clientIdHelp)}
      {field('guildId', props.onGuildId, words.guildIdHelp)}
    </>
  );
};
