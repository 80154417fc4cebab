import { Alert, List } from '@mantine/core';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { PanelLink } from '../kit/design/panel-link.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { chatTrustWords } from './settings/chat-trust.words.ts';
import { useChatTrusts } from './use-chat-trusts.ts';

/** Lists the servers whose trust no one has checked since an update gave it, or whose trust a change ended. */
export const ChatTrustNotice = ({ servers }: { readonly servers: readonly GameServer[] }) => {
  const words = useWords(chatTrustWords);
  const { data } = useChatTrusts('members.write');
  const listed = (data?.rows ?? []).flatMap(({ serverId, isUnreviewed, endedBy }) => {
    const server = servers.find(({ id }) => id === serverId);
    const why = endedBy ? words.ended[endedBy] : words.notice.unreviewed;
    return server && (isUnreviewed || endedBy) ? [{ server, why }] : [];
  });
  if (listed.length === 0) return null;
  return (
    <Alert color="var(--tone-warn)" variant="outline" title={words.notice.title}>
      <List>
        {listed.map(({ server, why }) => (
          <List.Item key={server.id}>
            <PanelLink to={`/servers/${encodeURIComponent(server.id)}/settings`}>{server.name}</PanelLink> ·{' '}
            {why}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
};
