import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { type ChatTrust, chatTrustHttp } from '#contracts/storefronts/chat-trust.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { chatTrustWords } from './chat-trust.words.ts';
import { useChatTrusts } from './use-chat-trusts.ts';

/** Whether players may spend and link by the chat of a server, why not any more, and who may change it. */
export const ChatTrustCard = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(chatTrustWords);
  const can = useCan();
  const { data, error } = useChatTrusts('members.read');
  const trust = data?.rows.find(({ serverId }) => serverId === server.id);
  if (error) return <Trouble error={error} />;
  if (!trust) return null;
  return (
    <Card title={words.title}>
      <Text fw={600}>{trust.isTrusted ? words.trusted : words.untrusted}</Text>
      {trust.isUnreviewed && <Text>{words.unreviewed}</Text>}
      {trust.endedBy && <Text>{words.ended[trust.endedBy]}</Text>}
      <Text>{words.about}</Text>
      <Text>{words.rule}</Text>
      <Text c="dimmed">{words.ends}</Text>
      {can('members.write') && <TrustActions server={server} trust={trust} />}
    </Card>
  );
};

const TrustActions = ({ server, trust }: { readonly server: GameServer; readonly trust: ChatTrust }) => {
  const words = useWords(chatTrustWords);
  const [isAsking, setIsAsking] = useState(false);
  const set = useChange(chatTrustHttp.set, [chatTrustHttp.list]);
  const to = (isTrusted: boolean) => ({
    params: { id: server.id },
    body: { version: trust.version, isTrusted },
  });
  return (
    <>
      {set.error && !isAsking && <Trouble error={set.error} />}
      <Group>
        {!trust.isTrusted && (
          <Button variant="default" onClick={() => setIsAsking(true)}>
            {words.trust}
          </Button>
        )}
        {trust.isUnreviewed && (
          <Button variant="default" loading={set.isPending} onClick={() => set.mutate(to(true))}>
            {words.keep}
          </Button>
        )}
        {trust.isTrusted && (
          <Button variant="default" loading={set.isPending} onClick={() => set.mutate(to(false))}>
            {words.stop}
          </Button>
        )}
      </Group>
      {isAsking && (
        <ConfirmAction
          title={words.question(server.name)}
          act={words.trust}
          onAction={() => set.mutateAsync(to(true))}
          onClose={() => setIsAsking(false)}
        >
          {words.about}
        </ConfirmAction>
      )}
    </>
  );
};
