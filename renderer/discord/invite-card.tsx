import { Button, Group, List, Text } from '@mantine/core';
import {
  type DiscordPermission,
  discordPermissionBits,
  discordPermissions,
} from '#contracts/discord/discord-application.ts';
import { Card } from '../kit/design/card.tsx';
import { CopyButton } from '../kit/design/copy-button.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { discordWords } from './discord.words.ts';

const names = Object.keys(discordPermissions) as DiscordPermission[];

/** The link that invites the bot to a Discord server, and its permissions there. */
export const InviteCard = ({ url }: { readonly url: string | null }) => {
  const words = useWords(discordWords);
  return (
    <Card title={words.invite}>
      {url === null ? (
        <Text>{words.inviteNone}</Text>
      ) : (
        <>
          <Text>{words.inviteText}</Text>
          <List size="sm">
            {names.map((name) => (
              <List.Item key={name}>{words.permissions[name]}</List.Item>
            ))}
          </List>
          <Text size="sm" c="dimmed">
            {words.number(String(discordPermissionBits))}
          </Text>
          <Text size="sm">{words.intents}</Text>
          <Group gap="xs">
            <Button component="a" href={url} target="_blank" rel="noreferrer" variant="default">
              {words.open}
            </Button>
            <CopyButton value={url} label={words.copyInvite} />
          </Group>
        </>
      )}
    </Card>
  );
};
