import { Alert, List, Text } from '@mantine/core';
import { chatFormsHttp } from '#contracts/servers/chat-forms.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../kit/access/access-state.ts';
import { pollMs, useRead } from '../kit/api/queries.ts';
import { PanelLink } from '../kit/design/panel-link.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { unheardChatWords } from './game-servers/unheard-chat.words.ts';

/** Names the servers on which no chat was ever heard, where people expect it. @param only these servers; all by default */
export const UnheardChatNotice = ({ only }: { readonly only?: readonly string[] }) => {
  const words = useWords(unheardChatWords);
  const enabled = useCan().somewhere('servers.read');
  const chats = useRead(chatFormsHttp.list, {}, { enabled, everyMs: pollMs.seldom }).data?.rows ?? [];
  const servers = useRead(gameServersHttp.list, {}, { enabled }).data?.rows ?? [];
  const unheard = chats.filter(
    ({ serverId, heardAt }) => heardAt === null && (only === undefined || only.includes(serverId)),
  );
  if (unheard.length === 0) return null;
  return (
    <Alert color="var(--tone-warn)" variant="outline" title={words.title}>
      <Text>{words.text}</Text>
      <List>
        {unheard.map(({ serverId }) => (
          <List.Item key={serverId}>
            <PanelLink to={`/servers/${encodeURIComponent(serverId)}/settings`}>
              {servers.find(({ id }) => id === serverId)?.name ?? serverId}
            </PanelLink>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
};
